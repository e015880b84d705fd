export const signIn = {
  title: 'Sign in',
  lead: 'Use the key of an agent. The service prints one when it starts for the first time.',
  key: 'API key',
  submit: 'Sign in',
  signingIn: 'Signing in…',
  hint: 'On the machine that runs the service, this command opens the board without a key:',
  command: 'npx -y pnpm@12 specboard open',
  lost: 'This one creates a new key for the owner:',
  lostCommand: 'npx -y pnpm@12 specboard key reset-owner',
} as const

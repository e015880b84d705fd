export const signIn = {
  title: 'Sign in',
  lead: 'Use the key of an agent. It is printed at the first start of the service.',
  key: 'API key',
  submit: 'Sign in',
  signingIn: 'Signing in…',
  hint: 'On the machine of the service, this command opens the board without a key:',
  command: 'npx -y pnpm@12 specboard open',
  lost: 'This one makes a new key for the owner:',
  lostCommand: 'npx -y pnpm@12 specboard key reset-owner',
} as const

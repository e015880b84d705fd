/** Doctor's findings about the clients on this machine and their hooks (harness 3). */
import type { Finding } from './finding.ts'
import type { Variables } from './frame/credentials.ts'
import { isOnPath } from './frame/on-path.ts'
import { HookState, hookClients } from './hook/state.ts'

/** The program of each client. */
const programs: Readonly<Record<(typeof hookClients)[number], string>> = {
  'claude-code': 'claude',
  codex: 'codex',
  gemini: 'gemini',
  cursor: 'cursor-agent',
  copilot: 'copilot',
}

/** Lists the clients that were found, and when the hooks of each were last answered. */
export function clientFindings(variables: Variables): Finding[] {
  const state = new HookState(variables)
  const there = hookClients.filter(client => isOnPath(programs[client], variables))
  const spoke = hookClients.flatMap(client => {
    const at = state.lastSpoken(client)
    return at === undefined ? [] : [`${client} at ${at.toISOString().slice(0, 16)}Z`]
  })
  return [
    { name: 'clients', ok: true, says: there.join(', ') || 'none found' },
    {
      name: 'hooks',
      ok: true,
      says: spoke.length === 0 ? 'none heard from yet' : `last heard from: ${spoke.join(', ')}`,
    },
  ]
}

/** How an agent client is configured for this service; the same as `specboard mcp-config` prints. */
interface ClientConfiguration {
  readonly client: string
  readonly text: string
}

const json = (value: unknown): string => JSON.stringify(value, null, 2)

/** The configuration to paste for each client. Those that can read the key from the environment do. */
export function clientConfigurations(service: string, key: string): readonly ClientConfiguration[] {
  const core = `${service}/mcp?toolsets=core`
  const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })
  const servers = (server: object) => json({ mcpServers: { specboard: server } })
  return [
    { client: 'Claude Code', text: servers({ type: 'http', url: core, ...bearer(`\${SPECBOARD_API_KEY}`) }) },
    {
      client: 'Codex',
      text: `[mcp_servers.specboard]\nurl = ${JSON.stringify(core)}\nbearer_token_env_var = "SPECBOARD_API_KEY"`,
    },
    { client: 'Cursor', text: servers({ url: core, ...bearer(`\${env:SPECBOARD_API_KEY}`) }) },
    { client: 'JSON', text: servers({ type: 'http', url: core, ...bearer(key) }) },
  ]
}

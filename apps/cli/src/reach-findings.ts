import { createServer } from 'node:net'
import { addressAt } from '@specboard/client/address'
import { explain } from './explain.ts'
import type { Finding } from './finding.ts'
import type { Target } from './frame/target.ts'
import type { Settings } from './settings.ts'

/** How long to wait for an answer, ms. */
const patienceMs = 5_000

/** What is known of the service that is looked for. */
interface Reach {
  /** Whether it uses the data folder. */
  readonly served: boolean
  /** The service that verbs would use. */
  readonly target: Target
  /** The ports of the nodes on a shared database. */
  readonly nodePorts?: readonly number[]
}

/** Checks the port, and the service that is named or should be behind it: whether it answers, and accepts the key. */
export async function reachFindings(
  settings: Settings,
  { served: isOfFolder, target, nodePorts = [] }: Reach,
): Promise<Finding[]> {
  const here = new URL(`http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${settings.port}`)
  const healthOfNode = nodePorts.includes(settings.port) ? await healthOf(here.origin) : undefined
  const served = isOfFolder || healthOfNode !== undefined
  const url = target.isNamed ? target.url : here.origin
  const port = served ? [] : [await portFinding(settings, here.origin)]
  if (!served && !target.isNamed) return port
  const health = url === here.origin && healthOfNode !== undefined ? healthOfNode : await healthOf(url)
  const name = '/health'
  if (health !== undefined) {
    const { status, problems = [] } = health
    const says = [`${url} is ${status}`, ...problems].join('; ')
    return [...port, { name, ok: status === 'healthy', says }, await mcpFinding(url, target.key)]
  }
  const says = `${url} does not answer; set SPECBOARD_URL to the address that "specboard serve" prints`
  // A server that was started with other flags listens elsewhere.
  return [...port, { name, ok: !target.isNamed, says }]
}

async function portFinding({ host, port }: Settings, url: string): Promise<Finding> {
  const name = 'port'
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, host, resolve)
    })
    return { name, ok: true, says: port === 0 ? 'a free one' : `${port} is free` }
  } catch (error) {
    if ((await healthOf(url)) === undefined) return { name, ok: false, says: explain(error) }
    return { name, ok: true, says: `a Specboard of another data folder listens on ${port}` }
  } finally {
    server.close()
  }
}

/** What a service tells of its health. */
interface Health {
  readonly status: string
  readonly problems?: readonly string[]
}

/** A service's report of its health; undefined if no service answers. */
async function healthOf(url: string): Promise<Health | undefined> {
  try {
    const answer = await fetch(addressAt(url, '/health'), { signal: AbortSignal.timeout(patienceMs) })
    const health = (await answer.json()) as Partial<Health>
    return health.status === undefined ? undefined : { ...health, status: health.status }
  } catch {
    return undefined
  }
}

/** The first message of an MCP client. */
const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'specboard doctor', version: '1' } },
}

async function mcpFinding(url: string, key: string | undefined): Promise<Finding> {
  const name = '/mcp'
  if (key === undefined) return { name, ok: true, says: 'not tried: there is no key for it' }
  try {
    const answer = await fetch(addressAt(url, '/mcp'), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(hello),
      signal: AbortSignal.timeout(patienceMs),
    })
    await answer.body?.cancel()
    if (answer.status === 401)
      return { name, ok: false, says: 'the key is refused; "specboard key create" makes another' }
    return { name, ok: answer.ok, says: answer.ok ? 'answers and takes the key' : `answers ${answer.status}` }
  } catch (error) {
    return { name, ok: false, says: explain(error) }
  }
}

import { openService } from '@specboard/domain'
import { createApp, keyOf, listen, TokenBuckets, UploadSlots, withBody } from '@specboard/http'
import { McpEndpoint } from '@specboard/mcp'
import { pino } from 'pino'
import { ConformanceBackend } from '../../apps/mcp/test/conformance-backend.ts'

/** A server with the suite's own tools, resources and prompts. */
export interface Fixture {
  readonly url: string
  readonly key: string
  stop(): Promise<void>
}

/** Serves the fixture behind the real route, transport and sessions, on a database of PostgreSQL if it has an address. */
export async function startFixture(folder: string, databaseUrl: string | undefined): Promise<Fixture> {
  const onFault = (error: unknown) => console.error(error)
  const opened = await openService({ folder, databaseUrl, version: '0.0.0', workers: false, onFault })
  const endpoint = new McpEndpoint(
    {
      service: opened.service,
      defaultToolsets: 'all',
      confirms: false,
      calls: new TokenBuckets(0),
      cors: true,
      uploadPath: undefined,
      onFault,
      onCall: () => {},
    },
    parts => new ConformanceBackend(parts),
  )
  const app = createApp({
    service: opened.service,
    version: '0.0.0',
    log: pino({ level: 'silent' }),
    hosts: { local: true, allowed: [] },
    limits: { wrongKeys: undefined, calls: new TokenBuckets(0), uploads: new UploadSlots() },
  })
  app.all('/mcp', c =>
    endpoint.fetch(c.req.raw, {
      requestId: c.get('requestId'),
      key: keyOf(c),
      seen: () => {},
      withBody: (maxBytes, use) => withBody(c, maxBytes, use),
    }),
  )
  const server = await listen('127.0.0.1', 0)
  server.answerWith(app)
  return {
    url: `http://127.0.0.1:${server.port}`,
    key: opened.ownerKey!,
    stop: async () => {
      opened.service.end()
      await endpoint.close()
      await server.stop()
      await opened.close()
    },
  }
}

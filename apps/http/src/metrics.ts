import { OpenAPIHono } from '@hono/zod-openapi'
import { features, parseInput } from '@specboard/contract'
import type { Service } from '@specboard/domain'
import { answer } from './answers.ts'
import type { HttpApp, HttpEnv } from './http-env.ts'
import { keyOf } from './middleware/key.ts'

/** The metrics, and their format. */
export interface MetricsText {
  readonly contentType: string
  text(): Promise<string>
}

/** Adds `GET /metrics` for keys that may read the state of the service (access 13). */
export function addMetrics(
  app: HttpApp,
  measured: MetricsText,
  service: Pick<Service, 'authenticate' | 'check'>,
): void {
  const operation = features.settings.get_service_status
  const parsed = parseInput(operation, { params: {}, query: {}, body: undefined })
  if (!parsed.ok) throw new Error(`The input of ${operation.name} was refused.`)
  const { input } = parsed
  app.get('/metrics', async c => {
    await service.check({ operation, input, caller: await service.authenticate(keyOf(c)) })
    return answer(c, 200, headersOf(measured), await measured.text())
  })
}

/** A separate application for a port that only monitors can reach: it requires no key (access 13). */
export function metricsApp(measured: MetricsText): HttpApp {
  const app: HttpApp = new OpenAPIHono<HttpEnv>()
  app.get('/metrics', async () => new Response(await measured.text(), { headers: headersOf(measured) }))
  return app
}

const headersOf = ({ contentType }: MetricsText) => ({ 'content-type': contentType, 'cache-control': 'no-store' })

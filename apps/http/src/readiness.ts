import type { Readiness } from '@specboard/domain'
import { answer, json } from './answers.ts'
import type { HttpApp } from './http-env.ts'

/** Adds `GET /ready`: whether a load balancer may send requests here, 503 while writes cannot succeed (access 13). */
export function addReadiness(app: HttpApp, readiness: () => Promise<Readiness>): void {
  app.get('/ready', async c => {
    const found = await readiness()
    return answer(c, found.ready ? 200 : 503, { ...json, 'cache-control': 'no-store' }, JSON.stringify(found))
  })
}

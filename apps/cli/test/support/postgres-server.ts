/** Before all tests, where they run on PostgreSQL: one server for all, unless the environment names one. */
import { testServer, whyNoServer } from '@specboard/storage/testing'

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.SPECBOARD_TEST_ENGINE !== 'postgres') return undefined
  const missing = whyNoServer()
  if (missing !== undefined) throw new Error(missing)
  if (process.env.SPECBOARD_TEST_DATABASE_URL !== undefined) return undefined
  const { url, stop } = await testServer()
  // The workers, which start after this, take it from their environment.
  process.env.SPECBOARD_TEST_DATABASE_URL = url
  return stop
}

import { ClientError } from '@specboard/client/calls'

/** A call that the service did not answer as it should, as a person understands it. */
export type FaultKind = 'outdated' | 'unreachable' | 'failed' | 'gone'

/** What browsers and the builder of the pages say of a script or style that is not there. */
const missingScript = /dynamically imported module|importing a module script|preload css/i

/** What browsers say of a request that got no answer. */
const noAnswer = /failed to fetch|networkerror|load failed|network error/i

/** What kind of fault an error is; undefined of a refusal, which has its own words. */
export function faultOf(error: unknown): FaultKind | undefined {
  if (error instanceof ClientError) {
    if (error.status === 404) return 'gone'
    return error.status >= 500 && error.code === undefined ? 'failed' : error.status === 500 ? 'failed' : undefined
  }
  if (!(error instanceof Error)) return undefined
  if (missingScript.test(error.message)) return 'outdated'
  return error instanceof TypeError && noAnswer.test(error.message) ? 'unreachable' : undefined
}

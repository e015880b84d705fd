import { ClientError } from '@specboard/client/calls'

/** The kind of a failure, in a person's terms. */
export type FaultKind = 'outdated' | 'unreachable' | 'failed' | 'gone'

/** How browsers and the bundler's code report a missing script or style. */
const missingScript = /dynamically imported module|importing a module script|preload css/i

/** How browsers report a request without a response. */
const noAnswer = /failed to fetch|networkerror|load failed|network error/i

/** The kind of fault of an error; undefined for a refusal, which has its own text. */
export function faultOf(error: unknown): FaultKind | undefined {
  if (error instanceof ClientError) {
    if (error.status === 404) return 'gone'
    return error.status >= 500 && error.code === undefined ? 'failed' : error.status === 500 ? 'failed' : undefined
  }
  if (!(error instanceof Error)) return undefined
  if (missingScript.test(error.message)) return 'outdated'
  return error instanceof TypeError && noAnswer.test(error.message) ? 'unreachable' : undefined
}

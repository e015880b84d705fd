/**
 * Why a verb failed or was refused: exit code 1 (exchange 3). The code is for machines, the message says what to do.
 */
export class Failure extends Error {
  readonly code: string

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of its path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it exists already',
}

/** The failure of a verb whose file cannot be read or written; any other error is returned unchanged. */
export function unusableFile(file: string, use: 'read' | 'written', error: unknown): unknown {
  const { code } = error as NodeJS.ErrnoException
  const reason = code === undefined ? undefined : reasons[code]
  return reason === undefined
    ? error
    : new Failure('FILE_UNUSABLE', `${file} cannot be ${use}: ${reason}.`, { cause: error })
}

/** The failure of a verb whose service does not answer. */
export function unreachable(url: string, error: unknown): Failure {
  const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
  const why = code === undefined ? '' : ` (${code})`
  const message = `${url} does not answer${why}. Start it with "specboard serve", or set SPECBOARD_URL to its address.`
  return new Failure('UNREACHABLE', message, { cause: error })
}

/**
 * Calls a service through its client.
 * @throws Failure if nobody answers at its address
 */
export const reaching = <Value>({ url }: { readonly url: string }, call: () => Promise<Value>): Promise<Value> =>
  call().catch(error => {
    throw error instanceof TypeError && error.message === 'fetch failed' ? unreachable(url, error) : error
  })

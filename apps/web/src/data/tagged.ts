import type { CallOptions } from '@specboard/client/calls'
import type { QueryClient } from '@tanstack/react-query'
import { keys } from './keys.ts'

/** The result of a call and its ETag, which makes edits conditional. */
export async function readTagged<T>(read: (options: CallOptions) => Promise<T>) {
  let tag = ''
  const answered = (response: Response) => {
    tag = response.headers.get('etag') ?? ''
  }
  const answer = await read({ answered })
  return { answer, tag }
}

/** The result of a call with its ETag in it: the initial state of a form. */
export async function readWithTag<T extends object>(read: (options: CallOptions) => Promise<T>) {
  const { answer, tag } = await readTagged(read)
  return { ...answer, tag }
}

/** Shows a record as it has just been read, everywhere: pages name it by its id or its reference. */
export function showRead(
  queries: QueryClient,
  kind: string,
  { id, ref }: { readonly id: string; readonly ref: string },
  read: unknown,
): void {
  for (const name of [id, ref]) {
    const key = keys.record(kind, name)
    if (queries.getQueryData(key) !== undefined) queries.setQueryData(key, read)
  }
}

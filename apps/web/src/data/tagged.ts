import type { CallOptions } from '@specboard/client/calls'
import type { QueryClient } from '@tanstack/react-query'
import { keys } from './keys.ts'

/** What a call answers, and the tag of its answer: an edit says by it what it began from. */
export async function readTagged<T>(read: (options: CallOptions) => Promise<T>) {
  let tag = ''
  const answered = (response: Response) => {
    tag = response.headers.get('etag') ?? ''
  }
  const answer = await read({ answered })
  return { answer, tag }
}

/** What a call answers, with its tag in it: the state that a form begins from. */
export async function readWithTag<T extends object>(read: (options: CallOptions) => Promise<T>) {
  const { answer, tag } = await readTagged(read)
  return { ...answer, tag }
}

/** Shows a record as it has just been read, wherever it is shown: pages name it by its id or its reference. */
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

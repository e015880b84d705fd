import type { AttachmentFiles } from './files.ts'

/** The paths of all files in a place, or of those of one board, in order. */
export async function pathsOf(files: AttachmentFiles, boardId?: string): Promise<string[]> {
  const paths: string[] = []
  for await (const path of files.paths(boardId)) paths.push(path)
  return paths.toSorted()
}

/** The paths of attachment files: the same in a data folder, in a database and in an S3 store (walls 1). */
import { isId, objectKey, type PathPart, pathPart, UnsafePath } from '@specboard/storage/safe-path'

/** The folder of attachments in a data folder, and the first part of every attachment's path. */
export const attachmentFolder = 'attachments'

const folder = pathPart.name(attachmentFolder)

/**
 * The path of an attachment's file. It is valid only if both arguments have the form in which the service names files.
 */
export const attachmentPath = (boardId: string, filename: string): string =>
  `${attachmentFolder}/${boardId}/${filename}`

/**
 * The parts of the path of an attachment's file. All reads and writes by path use them: paths also come from rows and
 * backups, which may be older than this rule.
 * @throws UnsafePath for any other path
 */
export function partsOfPath(path: string): readonly [folder: PathPart, board: PathPart, file: PathPart] {
  const [first, board = '', file = '', ...others] = path.split('/')
  if (first !== attachmentFolder || others.length > 0) throw new UnsafePath(JSON.stringify(path.slice(0, 200)))
  return [folder, pathPart.id(board), pathPart.name(file)]
}

/**
 * The key of an attachment's file in a store.
 * @throws UnsafePath for a path that is not an attachment's
 */
export const attachmentKey = (path: string): string => objectKey(...partsOfPath(path))

/** The parts of the folder of all files, or of one board's; undefined for an invalid board id, which has none. */
export const partsOfFolder = (boardId?: string): readonly PathPart[] | undefined => {
  if (boardId === undefined) return [folder]
  return isId(boardId) ? [folder, pathPart.id(boardId)] : undefined
}

/** The prefix of the keys of all files, or of one board's; undefined for an invalid board id, which has none. */
export function keyPrefix(boardId?: string): string | undefined {
  const parts = partsOfFolder(boardId)
  return parts && `${objectKey(...parts)}/`
}

/** Files of attachments as they are stored: in the data folder, or in the database of PostgreSQL. */
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { onServer } from '@specboard/storage/testing'
import { queried } from './event-log.ts'
import type { World } from './world.ts'

const folderOf = (world: World, boardId: string): string => join(world.folder, 'attachments', boardId)

/** The path of a file, as PostgreSQL has it. */
const pathOf = (boardId: string, name: string): string => `attachments/${boardId}/${name}`

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** The files of a board, by their names. */
export function storedFiles(world: World, boardId: string): string[] {
  if (world.databaseUrl === undefined) return namesIn(folderOf(world, boardId))
  const found = 'select path from attachment_files where starts_with(path, ?) and size is not null'
  const prefix = pathOf(boardId, '')
  return queried(world, found, prefix).map(({ path }) => String(path).slice(prefix.length))
}

/** Files left behind by incomplete uploads. */
export const unfinishedFiles = (world: World): string[] =>
  world.databaseUrl === undefined
    ? namesIn(folderOf(world, 'incoming'))
    : queried(world, 'select path from attachment_files where size is null').map(({ path }) => String(path))

/** Whether anything is left of a board's files, such as an empty folder. */
export const hasFiles = (world: World, boardId: string): boolean =>
  world.databaseUrl === undefined ? existsSync(folderOf(world, boardId)) : storedFiles(world, boardId).length > 0

/** The bytes of a file. */
export function storedBytes(world: World, boardId: string, name: string): Buffer {
  if (world.databaseUrl === undefined) return readFileSync(join(folderOf(world, boardId), name))
  const found = "select encode(bytes, 'hex') as hex from attachment_parts where path = ? order by part"
  return Buffer.from(
    queried(world, found, pathOf(boardId, name))
      .map(({ hex }) => hex)
      .join(''),
    'hex',
  )
}

/** Takes a file away, as nobody should. */
export async function loseFile(world: World, boardId: string, name: string): Promise<void> {
  if (world.databaseUrl === undefined) return rmSync(join(folderOf(world, boardId), name))
  await onServer(world.databaseUrl, `delete from attachment_files where path = '${pathOf(boardId, name)}'`)
}

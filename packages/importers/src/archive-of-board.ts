/** Recognises files of Specboard's own archives where no archive can be: in a folder of a zip, or alone. */
import { nameOf } from './files.ts'
import type { Entry } from './neutral.ts'

/** Whether a text is the `records.jsonl` of an archive: its first line is the board. */
export const isArchiveOfBoard = (text: string | null): boolean =>
  text?.startsWith('{"type":"board","id":"') === true && text.includes('"last_number":')

/** Whether a file is the manifest of an archive. */
export const isManifestOfArchive = ({ name, text }: Entry): boolean =>
  name !== null && nameOf(name) === 'manifest.json' && text?.includes('"specboard.board"') === true

/** Counts the contents of sources of other tools, independently of their readers. */
import Database from 'better-sqlite3'

/** The files of a source by their names; a bare file has one. */
export type SourceFiles = ReadonlyMap<string, Buffer>

const textOf = (bytes: Buffer): string => {
  const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8'
  return new TextDecoder(encoding).decode(bytes)
}

const textsOf = (files: SourceFiles, ending: string): string[] =>
  [...files].flatMap(([name, bytes]) => (name.endsWith(ending) ? [textOf(bytes)] : []))

const linesLike = (texts: readonly string[], pattern: RegExp): number =>
  texts.flatMap(text => text.split(/\r\n|\n|\r/)).filter(line => pattern.test(line)).length

/** The rows of a table without its header; a line break between quotes does not end a row. */
function rowsIn(text: string): number {
  let isQuoted = false
  const open = [...text.trimEnd()].filter(sign => {
    if (sign === '"') isQuoted = !isQuoted
    return sign === '\n' && !isQuoted
  })
  return open.length
}

/** The elements of all lists of tasks in a JSON value. */
function tasksIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return Object.entries(value).reduce((sum, [name, member]) => {
    const isList = Array.isArray(member) && (name === 'tasks' || name === 'subtasks')
    return sum + (isList ? member.length : 0) + tasksIn(member)
  }, 0)
}

function rowsOfTables(bytes: Buffer): number {
  const db = new Database(bytes)
  try {
    const tables = db.prepare(`select name from sqlite_master where type = 'table'`).pluck().all() as string[]
    const read = tables.filter(name => /^(?:projects|tasks|task_attempts|workspaces|tags|task_templates)$/.test(name))
    return read.reduce((sum, name) => sum + (db.prepare(`select count(*) from "${name}"`).pluck().get() as number), 0)
  } finally {
    db.close()
  }
}

const box = /^\s*(?:[-*+]|\d+[.)]) +\[.?\]/

/** Counts the units that a format gives a meaning; `label` names them. */
export const unitsOf: Readonly<Record<string, { readonly label: string; count(files: SourceFiles): number }>> = {
  beads: { label: 'lines', count: files => linesLike(textsOf(files, '.jsonl'), /\S/) },
  'task-master': {
    label: 'tasks',
    count: files => textsOf(files, 'tasks.json').reduce((sum, text) => sum + tasksIn(JSON.parse(text)), 0),
  },
  'backlog-md': { label: 'files', count: files => files.size },
  'spec-kit': {
    label: 'boxes, requirements',
    count: files =>
      linesLike(textsOf(files, 'tasks.md'), box) + linesLike(textsOf(files, 'spec.md'), /^\s*[-*] \**(?:FR|SC)-\d/),
  },
  csv: { label: 'rows', count: files => textsOf(files, '.csv').reduce((sum, text) => sum + rowsIn(text), 0) },
  openspec: {
    label: 'boxes, requirements, scenarios',
    count: files =>
      linesLike(textsOf(files, 'tasks.md'), box) +
      linesLike(textsOf(files, 'spec.md'), /^(?:### Requirement|#### Scenario): /),
  },
  'vibe-kanban': {
    label: 'rows',
    count: files => [...files.values()].reduce((sum, bytes) => sum + rowsOfTables(bytes), 0),
  },
}

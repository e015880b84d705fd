import { existsSync, readFileSync } from 'node:fs'
import { createClient } from '@specboard/client'
import { startProduct } from '../bench/processes.ts'
import type { Databases } from '../databases.ts'
import { line, measured } from './measured.ts'

/** Imports this many lines, those of a beads file again and again, twice into one board; prints what that took and changed. */
export async function reportBeads(folder: string, databases: Databases, path: string, lines: number): Promise<void> {
  if (!existsSync(path)) throw new Error(`There is no beads file at ${path}. Name one with --file=…`)
  const text = repeated(readFileSync(path, 'utf8'), lines)
  const file = new File([text], 'issues.jsonl')
  const server = await startProduct(folder, (await databases.make()).environment)
  const client = createClient({ url: server.url, key: server.key! })
  try {
    const first = await measured(server, () => client.importBoard({ file, name: 'Beads' }))
    console.log(line(`beads, ${lines} lines, first run`, first, '3 s'), `created ${sum(first.value.created)}`)
    const board_id = first.value.board_id!
    const second = await measured(server, () => client.importBoard({ file, board_id }))
    const changes = sum(second.value.created) + sum(second.value.updated)
    console.log(line('second run', second, 'no change'), `changes ${changes}`)
  } finally {
    await server.stop()
  }
}

/** So many lines of a beads file: its records again and again, each time under ids of their own. */
function repeated(text: string, lines: number): string {
  const issues = text.trim().split('\n')
  return Array.from({ length: lines }, (_, index) => {
    const round = Math.floor(index / issues.length)
    return renamed(JSON.parse(issues[index % issues.length]!), id => (round === 0 ? id : `${id}-r${round}`))
  }).join('\n')
}

/** An issue as the file has it, as far as it names issues. */
interface Named {
  readonly id: string
  readonly parent?: string | null
  readonly dependencies?: readonly { readonly issue_id?: string; readonly depends_on_id: string }[]
}

function renamed({ dependencies, parent, ...issue }: Named, rename: (id: string) => string): string {
  return JSON.stringify({
    ...issue,
    id: rename(issue.id),
    ...(parent && { parent: rename(parent) }),
    ...(dependencies && {
      dependencies: dependencies.map(link => ({
        ...link,
        ...(link.issue_id !== undefined && { issue_id: rename(link.issue_id) }),
        depends_on_id: rename(link.depends_on_id),
      })),
    }),
  })
}

const sum = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0)

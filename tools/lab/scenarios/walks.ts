/**
 * Counts the source files that one meets when following one warm call from the socket to the disk: those whose code
 * runs in each of eight rounds, according to the engine's coverage. Code in threads and processes is not counted.
 * `--list` names the files.
 */
import { readFileSync } from 'node:fs'
import { EventStream } from '../../../apps/cli/test/support/event-stream.ts'
import { McpWire } from '../../../apps/cli/test/support/mcp.ts'
import { graphAtWork, World } from '../../../apps/cli/test/support/world.ts'
import { scenario } from '../harness/scenario.ts'
import { WalkedFiles } from '../load/walked-files.ts'

/** Files of at most this many lines are counted separately. */
const shortLines = 60

const isShort = (path: string): boolean =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8').split('\n').length <= shortLines

/** A file of two lines as another tool writes it. */
const backlog = ['a', 'b']
  .map(id => JSON.stringify({ id: `bd-${id}`, title: `Issue ${id}`, status: 'open' }))
  .join('\n')

export default scenario({
  summary: 'source files that a write, a read, a tool call, an event and an import run through',
  options: { list: false },
  run: async (lab, { list }) => {
    const world = await World.start(graphAtWork)
    lab.atEnd(() => world.stop())
    const { client } = world.owner
    const board = await client.createBoard({ name: 'Walks', description: '' })
    const files = await WalkedFiles.begin()
    lab.atEnd(() => files.end())
    const row = lab.report.table('one warm', 'files', `≤ ${shortLines} lines`, 'goal')
    const show = (name: string, walked: readonly string[], goal: number, besides: readonly string[] = []) => {
      const own = walked.filter(path => !besides.includes(path))
      row(name, own.length, own.filter(isShort).length, goal)
      if (list) for (const path of own) lab.report.say(`  ${path}`)
    }

    let count = 0
    const card = await client.createCard({ board_id: board.id, title: 'One' })
    const rename = () => client.updateCard({ card_id: card.id, title: `Title ${++count}` })
    const write = await files.of(rename)
    show('write (update_card)', write, 50)
    const read = await files.of(() => client.getCard({ card_id: card.id }))
    show('read (get_card)', read, 30)
    const wire = new McpWire(world)
    const tool = await files.of(() => wire.tool('get_card', { card_id: card.id }))
    show('tool call, beyond its read', tool, 15, read)
    const stream = await EventStream.open(world, `/api/v1/boards/${board.id}/events/stream`)
    lab.atEnd(() => stream.close())
    const delivery = await files.of(async () => {
      await rename()
      await stream.next()
    })
    show('event to a browser, beyond its write', delivery, 20, write)
    const imported = await files.of(() =>
      client.importBoard({ file: new File([backlog], 'issues.jsonl'), name: `Import ${++count}` }),
    )
    show('import of two issues', imported, 90)
  },
})

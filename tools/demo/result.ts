import { styleText } from 'node:util'
import { CardStatus } from '@specboard/contract'
import type { Crew } from './crew.ts'
import type { Plan } from './planning.ts'
import { scene, shortened } from './screen.ts'

/** Prints the lineage of the delivery as a tree. */
export async function printLineage({ owner, boardId }: Crew, { ideationId }: Plan): Promise<void> {
  scene('Where everything comes from')
  const { nodes } = await owner.getLineageGraph({
    board_id: boardId,
    entity_type: 'ideation',
    entity_id: ideationId,
    detail: 'workflow',
  })
  const children = Map.groupBy(nodes, node => node.parent_id ?? '')
  const print = (id: string, depth: number) => {
    for (const node of children.get(id) ?? []) {
      console.log(
        `  ${'  '.repeat(depth)}${styleText('gray', node.entity_type.padEnd(11))} ${shortened(node.title, 70)} ${styleText('green', node.status ?? '')}`,
      )
      print(node.id, depth + 1)
    }
  }
  print('', 0)
}

/** Prints the board's columns. */
export async function printColumns({ owner, boardId }: Crew): Promise<void> {
  scene('The board')
  const { columns } = await owner.getBoardColumns({ board_id: boardId })
  for (const status of CardStatus.options) {
    const count = columns[status]?.length ?? 0
    console.log(`  ${status.padEnd(12)} ${String(count).padStart(3)}  ${'■'.repeat(count)}`)
  }
}

import { features } from '@specboard/contract'
import type { Context } from '../../kernel/context.ts'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { descentOf, withoutArchived } from './descent.ts'
import { artifactKinds, type Node } from './graph.ts'
import { type Root, resolveRoot } from './root.ts'
import { type LineageRows, readRows } from './store.ts'
import { buildGraph } from './tree.ts'

type Lineage = typeof features.lineage

const getLineageGraph: Implementation<Lineage['get_lineage_graph']> = async ({ query }, ctx) => {
  const { root, path } = await resolveRoot(ctx.db, ctx.boardId, query.entity_type, query.entity_id)
  const entries = query.detail === 'full'
  const parts = { entries, artifacts: query.include_artifacts, changes: entries && ctx.access.allows('CHANGES_READ') }
  const all = await readRows(ctx.db, ctx.boardId, root, parts)
  const rows = query.include_archived ? all : withoutArchived(all, root.type === 'board' ? null : root.id)
  const { nodes, edges } = buildGraph(rows, parts)
  const { type, ...entity } = await rootEntity(ctx, root, rows)
  const refs = new Map(recordsOf(all).map(({ id, ref }) => [id, ref]))
  const withRef = <Named extends object>(named: Named, id: string) => {
    const ref = refs.get(id)
    return ref === undefined ? named : { ...named, ref }
  }
  return {
    board_id: ctx.boardId,
    selected: withRef(
      { entity_type: query.entity_type, entity_id: query.entity_id, node_id: path[0]!.node_id },
      query.entity_id,
    ),
    root_entity: { type, ...entity },
    root_ideation: { ...entity, ...(type !== 'ideation' && { entity_type: type }) },
    resolution_path: path.map(step => withRef(step, step.id)),
    nodes,
    edges,
    summary: summaryOf(rows, nodes, edges.length),
    warnings:
      type === 'spec'
        ? ['The spec has no ideation, so it is the root of its own lineage. Set its ideation_id to connect it.']
        : [],
  }
}

/** Every record of a tree. */
const recordsOf = ({ ideations, refinements, specs, sprints, cards }: LineageRows) => [
  ...ideations,
  ...refinements,
  ...specs,
  ...sprints,
  ...cards,
]

/** The record of the root. */
async function rootEntity(ctx: Context, { type, id }: Root, rows: LineageRows) {
  if (type !== 'board') {
    const { ref, title, status } = (type === 'ideation' ? rows.ideations : rows.specs)[0]!
    return { type, id, ref, title, status }
  }
  const { name } = await ctx.db.selectFrom('boards').select('name').where('id', '=', id).executeTakeFirstOrThrow()
  return { type, id, title: name, status: null }
}

function summaryOf(rows: LineageRows, nodes: readonly Node[], edges: number) {
  const { originOf } = descentOf(rows)
  const kinds = Map.groupBy(nodes, node => node.entity_type)
  return {
    ideations: rows.ideations.length,
    refinements: rows.refinements.length,
    specs: rows.specs.length,
    orphan_specs: rows.specs.filter(spec => originOf(spec) === null).length,
    cards: rows.cards.length,
    nodes: nodes.length,
    edges,
    artifacts: nodes.filter(node => artifactKinds.has(node.entity_type)).length,
    by_kind: Object.fromEntries([...kinds].map(([kind, group]) => [kind, group.length])),
  }
}

export const lineageOperations = implement(features.lineage, { get_lineage_graph: getLineageGraph })

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Scene } from './support/scene.ts'
import { graphAtWork, World } from './support/world.ts'

let world: World
let scene: Scene
let board_id: string

beforeAll(async () => {
  world = await World.start(graphAtWork)
})

afterAll(() => world.stop())

beforeEach(async () => {
  scene = await Scene.on(world)
  board_id = scene.boardId
})

const sessions = async () => {
  await scene.consolidated()
  return (await world.ok('list_kg_audit', { board_id })).entries
}

const undo = (session_id: string, force = false) => world.call('undo_kg_session', { board_id, session_id, force })

/** Nodes and edges with everything that an undo restores. */
async function graph() {
  const query = async (cypher: string) => (await world.ok('query_kg_cypher', { board_id, cypher })).rows
  return {
    nodes: await query(
      'MATCH (n) RETURN n.id, n.title, n.content, n.context, n.revocation_reason, n.superseded_by, n.relevance_score, n.created_at, n.updated_at, n.embedding_model',
    ),
    edges: await query('MATCH ()-[r]->() RETURN r.id, r.confidence, r.rule_id, r.created_by_session_id, r.created_at'),
  }
}

describe('list_kg_audit', () => {
  test('shows what each session did, newest first, in pages', async () => {
    const { spec_id } = await scene.specInGraph()
    await world.ok('update_spec', { spec_id, description: 'More' })
    const [second, first] = await sessions()
    expect(first).toMatchObject({
      board_id,
      artifact_id: spec_id,
      artifact_type: 'spec',
      agent_id: 'system:consolidation',
      nodes_added: 4,
      nodes_updated: 0,
      nodes_removed: 0,
      edges_added: 4,
      edges_removed: 0,
      missing_links: 0,
      summary_text: "Consolidation of spec 'Spec'",
      undo_status: 'none',
      undone_at: null,
      undone_by: null,
    })
    expect(first.content_hash).toMatch(/^[0-9a-f]{64}$/)
    expect(second).toMatchObject({ nodes_added: 0, nodes_updated: 1, edges_added: 0 })
    const page = await world.ok('list_kg_audit', { board_id, limit: 1 })
    const next = await world.ok('list_kg_audit', { board_id, limit: 1, cursor: page.next_cursor })
    expect([page.entries[0], next.entries[0]]).toEqual([second, first])
    expect((await world.call('list_kg_audit', { board_id, cursor: '?' })).body.detail.error).toBe('INVALID_CURSOR')
  })
})

describe('undo_kg_session', () => {
  test('restores what a session changed and removed, and removes what it added', async () => {
    const { spec_id } = await scene.specInGraph({
      functional_requirements: ['A', 'B'],
      decisions: [
        { id: 'd1', title: 'Keep sessions in Redis', rationale: 'R' },
        { id: 'd2', title: 'Keep logs in Kafka', rationale: 'R' },
      ],
    })
    const before = await graph()
    await world.ok('update_spec', {
      spec_id,
      title: 'Other',
      functional_requirements: ['A changed'],
      decisions: [
        { id: 'd1', title: 'Do not keep sessions in Redis', rationale: 'R', supersedes_decision_id: 'd2' },
        { id: 'd2', title: 'Keep logs in Kafka', rationale: 'R' },
      ],
      acceptance_criteria: ['New'],
    })
    const [session] = await sessions()
    expect(await graph()).not.toEqual(before)
    const { body } = await undo(session.session_id)
    expect(body).toMatchObject({
      session_id: session.session_id,
      status: 'undone',
      nodes_removed: 1,
      force_used: false,
    })
    expect(await graph()).toEqual(before)
    expect((await sessions())[0]).toMatchObject({ undo_status: 'undone', undone_by: world.owner.id })
    const again = await undo(session.session_id)
    expect([again.status, again.body.detail.error]).toEqual([409, 'ALREADY_UNDONE'])
  })

  test('the record returns to the graph with its next change', async () => {
    const { spec_id, node } = await scene.specInGraph()
    const id = await node('')
    await undo((await sessions())[0].session_id)
    expect((await graph()).nodes).toEqual([])
    await world.ok('move_spec', { spec_id, status: 'review' })
    await scene.consolidated()
    expect(await node('')).toBe(id)
  })

  test('is blocked by later sessions that build on it, unless forced', async () => {
    const { spec_id } = await scene.specInGraph()
    await world.ok('update_spec', { spec_id, description: 'More' })
    await scene.card({ spec_id: await scene.spec('approved') })
    const all = await sessions()
    const [later, first] = all.filter((session: { artifact_id: string }) => session.artifact_id === spec_id)
    const blocked = await undo(first.session_id)
    expect(blocked.status).toBe(409)
    expect(blocked.body.detail).toMatchObject({ error: 'UNDO_BLOCKED', blocking_sessions: [later.session_id] })
    expect((await undo(first.session_id, true)).body).toMatchObject({ force_used: true, nodes_removed: 4 })
  })

  test('an edge to one of its nodes blocks too', async () => {
    const ideation_id = await scene.ideation('done')
    await scene.consolidated()
    await world.ok('derive_spec_from_ideation', { ideation_id })
    const all = await sessions()
    const [of] = all.filter((session: { artifact_id: string }) => session.artifact_id === ideation_id).slice(-1)
    const { status, body } = await undo(of.session_id)
    expect([status, body.detail.error]).toEqual([409, 'UNDO_BLOCKED'])
  })

  test('forced, fields that changed again stay as they are', async () => {
    const { spec_id, node } = await scene.specInGraph()
    const node_id = await node('')
    await world.ok('update_spec', { spec_id, title: 'Second', description: 'Second' })
    const [second] = await sessions()
    await world.ok('update_spec', { spec_id, title: 'Third' })
    await scene.consolidated()
    await undo(second.session_id, true)
    expect(await world.ok('get_kg_node', { board_id, node_id })).toMatchObject({ title: 'Third', content: '' })
  })

  test('forced, values derived from a text are derived from the text that remains', async () => {
    const { spec_id, node } = await scene.specInGraph({
      decisions: [{ id: 'd1', title: 'Avoid the vault', rationale: 'R' }],
    })
    const node_id = await node('decision:d1')
    const change = async (title: string, rationale: string) => {
      await world.ok('update_spec', { spec_id, decisions: [{ id: 'd1', title, rationale }] })
      return (await sessions())[0].session_id
    }
    const second = await change('Use the vault', 'Second')
    const third = await change('Use the vault', 'Third')
    await undo(second, true)
    expect(await world.ok('get_kg_node', { board_id, node_id })).toMatchObject({
      title: 'Avoid the vault',
      content: 'Third',
    })
    const similar = async (topic: string) =>
      (await world.ok('find_similar_kg_nodes', { board_id, topic })).results.find(
        ({ id }: { id: string }) => id === node_id,
      )?.similarity
    expect(await similar('Avoid the vault\nThird')).toBe(1)
    await undo(third)
    expect(await similar('Avoid the vault\nSecond')).toBe(1)
  })

  test('an unknown session is not found, nor one of another board', async () => {
    expect((await undo('x')).status).toBe(404)
    await scene.specInGraph()
    const [session] = await sessions()
    const other = await Scene.on(world)
    const { status } = await world.call('undo_kg_session', { board_id: other.boardId, session_id: session.session_id })
    expect(status).toBe(404)
  })
})

describe('export_kg_audit', () => {
  test('as JSON lines, oldest first', async () => {
    await scene.specInGraph()
    await scene.specInGraph()
    const { headers, body } = await world.call('export_kg_audit', { board_id })
    expect(headers.get('content-type')).toBe('application/jsonl')
    expect(headers.get('content-disposition')).toBe(`attachment; filename=audit_${board_id}.json`)
    const lines = body
      .trim()
      .split('\n')
      .map((line: string) => JSON.parse(line))
    expect(lines).toEqual((await sessions()).toReversed())
  })

  test('as CSV, with texts that could be formulas disarmed', async () => {
    await scene.specInGraph({ title: '=1+1, "quoted"' })
    const { headers, body } = await world.call('export_kg_audit', { board_id, format: 'csv' })
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(headers.get('content-disposition')).toBe(`attachment; filename=audit_${board_id}.csv`)
    const [header, row, end] = body.split('\r\n')
    expect(header).toBe(
      'session_id,board_id,committed_at,artifact_type,artifact_id,agent_id,started_at,nodes_added,nodes_updated,nodes_superseded,nodes_removed,edges_added,edges_removed,missing_links,undo_status,undone_at,undone_by,content_hash,summary_text',
    )
    expect(row).toContain('"Consolidation of spec \'=1+1, ""quoted""\'"')
    expect(end).toBe('')
  })

  test('of an empty board is empty; another format is refused', async () => {
    expect((await world.call('export_kg_audit', { board_id })).body).toBeUndefined()
    expect((await world.call('export_kg_audit', { board_id, format: 'xml' })).status).toBe(422)
  })
})

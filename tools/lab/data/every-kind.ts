import type { Client } from '@specboard/client'
import { makeChains } from './chains.ts'
import type { SeededBoard } from './fill.ts'
import { graphBuilt } from './graph-built.ts'

/** Chains of some twelve records each. */
const chains = 15

/** Creates a board with records of every kind; returns an id of each, by its name in paths. */
export async function makeEveryKind(client: Client): Promise<SeededBoard & Readonly<Record<string, string | number>>> {
  const board_id = (await client.createBoard({ name: 'Every kind', description: '' })).id
  await makeChains(client, board_id, chains)
  const ideation_id = (await client.listIdeations({ board_id })).items[0]!.id
  const refinement_id = (await client.listRefinements({ ideation_id })).items[0]!.id
  const sprint = (await client.listBoardSprints({ board_id })).items[0]!
  const { spec_id } = sprint
  const { id: card_id } = await client.createCard({ board_id, spec_id, title: 'Read often' })
  const file = new File(['x'.repeat(20_000)], 'notes.txt', { type: 'text/plain' })
  const knowledge = { title: 'Notes', content: 'What we know.' }
  await client.createComment({ card_id, content: 'A remark.' })
  await client.createSpecKnowledge({ spec_id, ...knowledge })
  const question = { question: 'Why?' }
  await client.askIdeationQuestion({ ideation_id, ...question })
  await client.askSpecQuestion({ spec_id, ...question })
  const design = await client.createSpecArchitecture({ spec_id, title: 'Parts', global_description: 'How they fit.' })
  await graphBuilt(client)
  return {
    board_id,
    ideation_id,
    refinement_id,
    spec_id,
    sprint_id: sprint.id,
    card_id,
    agent_id: (await client.createAgent({ name: 'Reader' })).id,
    attachment_id: (await client.uploadAttachment({ board_id, card_id, file })).id,
    kb_id: (await client.createCardKnowledge({ card_id, ...knowledge })).id,
    knowledge_id: (await client.createRefinementKnowledge({ refinement_id, ...knowledge })).id,
    guideline_id: (await client.createGuideline({ title: 'Style', content: 'Plain words.' })).id,
    design_id: design.id,
    node_id: (await client.listKgNodes({ board_id, limit: 1 })).nodes[0]!.id,
    entity_type: 'spec',
    entity_id: spec_id,
    version: 1,
    topic: 'cache',
    q: 'cache',
    limit: 20,
  }
}

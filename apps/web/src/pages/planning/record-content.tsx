import { useQueryClient } from '@tanstack/react-query'
import type { TitledText } from '../../components/written-dialog.tsx'
import type { DesignCalls } from '../../content/design-calls.ts'
import { Designs } from '../../content/designs.tsx'
import { Knowledge } from '../../content/knowledge.tsx'
import type { KnowledgeCalls } from '../../content/knowledge-calls.ts'
import { Mockups } from '../../content/mockups.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { changing, writingIn } from '../../data/needs.ts'
import { planCalls, readPlan, refreshPlan } from '../../data/planning.ts'
import type { ShownPlan } from './shown.ts'

/** The knowledge calls of each kind of record that has knowledge. */
const knowledgeCalls = {
  refinement: {
    read: (refinement_id: string, knowledge_id: string) =>
      client.getRefinementKnowledge({ refinement_id, knowledge_id }),
    add: (refinement_id: string, text: TitledText) => client.createRefinementKnowledge({ refinement_id, ...text }),
    remove: (refinement_id: string, knowledge_id: string) =>
      client.deleteRefinementKnowledge({ refinement_id, knowledge_id }),
  },
  spec: {
    read: (spec_id: string, knowledge_id: string) => client.getSpecKnowledge({ spec_id, knowledge_id }),
    add: (spec_id: string, text: TitledText) => client.createSpecKnowledge({ spec_id, ...text }),
    remove: (spec_id: string, knowledge_id: string) => client.deleteSpecKnowledge({ spec_id, knowledge_id }),
  },
}

type Design = Parameters<DesignCalls['add']>[0]

/** The call that creates a design, for each kind of record. */
const designCalls = {
  ideation: (ideation_id: string, design: Design) => client.createIdeationArchitecture({ ideation_id, ...design }),
  refinement: (refinement_id: string, design: Design) =>
    client.createRefinementArchitecture({ refinement_id, ...design }),
  spec: (spec_id: string, design: Design) => client.createSpecArchitecture({ spec_id, ...design }),
}

/**
 * The content of a record: knowledge, screens and designs; a sprint has none of these, an ideation has no knowledge.
 */
export function RecordContent({ board, kind, record }: ShownPlan) {
  const queries = useQueryClient()
  if (!('architecture_designs' in record)) return null
  const knowledgeOf = (named: keyof typeof knowledgeCalls): KnowledgeCalls => {
    const { read, add, remove } = knowledgeCalls[named]
    return {
      key: keys.part(named, record.id, 'knowledge'),
      read: id => read(record.id, id),
      async add(written) {
        await add(record.id, written)
        await refreshPlan(queries, named, record.id)
      },
      async remove(id) {
        await remove(record.id, id)
        await refreshPlan(queries, named, record.id)
      },
      needs: {
        add: ['KNOWLEDGE_CREATE', writingIn(named, record.status)],
        remove: ['KNOWLEDGE_DELETE', writingIn(named, record.status)],
      },
    }
  }
  return (
    <>
      {(kind === 'refinement' || kind === 'spec') && (
        <Knowledge items={record.knowledge_bases} calls={knowledgeOf(kind)} />
      )}
      {kind !== 'sprint' && (
        <>
          <Mockups
            screens={record.screen_mockups ?? []}
            calls={{
              of: record.id,
              async read() {
                const now = await readPlan(kind, record.id)
                return { mockups: now.record.screen_mockups ?? [], tag: now.tag }
              },
              async write(screen_mockups, ifMatch) {
                await planCalls[kind].update(record.id, { screen_mockups }, { ifMatch })
                await refreshPlan(queries, kind, record.id)
              },
              needs: changing(kind, record.status, 'screen_mockups'),
            }}
          />
          <Designs
            boardKey={board.key}
            designs={record.architecture_designs}
            calls={{
              of: record.id,
              add: design => designCalls[kind](record.id, design),
              needs: ['ARCHITECTURE_CREATE', writingIn(kind, record.status)],
            }}
          />
        </>
      )}
    </>
  )
}

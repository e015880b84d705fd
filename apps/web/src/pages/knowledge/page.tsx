import { PageParts } from '../../components/page-parts.tsx'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import { Explorer } from './explorer.tsx'
import { Health } from './health.tsx'
import { Queue } from './queue.tsx'
import { Search } from './search.tsx'
import { Sessions } from './sessions.tsx'
import './knowledge.css'

const texts = messages.knowledge

const parts = [
  { part: '', label: texts.parts.search, Part: Search },
  { part: '/graph', label: texts.parts.graph, Part: Explorer },
  { part: '/queue', label: texts.parts.queue, Part: Queue },
  { part: '/health', label: texts.parts.health, Part: Health },
  { part: '/sessions', label: texts.parts.sessions, reads: ['KG_AUDIT'], Part: Sessions },
] as const

/** The knowledge of a board: search, explorer, and processing. */
export default function KnowledgePage(page: BoardPageProps) {
  return (
    <div className="page stack knowledge">
      <PageParts {...page} title={texts.title} path="knowledge" parts={parts} />
    </div>
  )
}

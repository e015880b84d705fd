import { Tabs } from '../../components/tabs.tsx'
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
  { part: '/sessions', label: texts.parts.sessions, Part: Sessions },
] as const

/** What a board knows: searched, walked through, and how it comes to be known. */
export default function KnowledgePage({ board, params }: BoardPageProps) {
  const { Part } = parts.find(({ part }) => part === `/${params.part}`) ?? parts[0]
  const tabs = parts.map(({ part, label }) => ({ address: `/b/${board.key}/knowledge${part}`, label }))
  return (
    <div className="page stack knowledge">
      <h1>{texts.title}</h1>
      <Tabs label={texts.title} tabs={tabs} />
      <Part board={board} />
    </div>
  )
}

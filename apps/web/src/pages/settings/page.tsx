import { Tabs } from '../../components/tabs.tsx'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import { Exchange } from './exchange.tsx'
import { Guidelines } from './guidelines.tsx'
import { People } from './people.tsx'
import { Rules } from './rules.tsx'
import { Webhooks } from './webhooks.tsx'
import './settings.css'

const texts = messages.settings

const parts = [
  { part: '', label: texts.parts.rules, Part: Rules },
  { part: '/guidelines', label: texts.parts.guidelines, Part: Guidelines },
  { part: '/people', label: texts.parts.people, Part: People },
  { part: '/exchange', label: texts.parts.exchange, Part: Exchange },
  { part: '/webhooks', label: texts.parts.webhooks, Part: Webhooks },
] as const

/** How a board works: its rules, guidelines, who is on it, and what goes in and out. */
export default function SettingsPage({ board, params }: BoardPageProps) {
  const { Part } = parts.find(({ part }) => part === `/${params.part}`) ?? parts[0]
  const tabs = parts.map(({ part, label }) => ({ address: `/b/${board.key}/settings${part}`, label }))
  return (
    <div className="page stack">
      <h1>{texts.title}</h1>
      <Tabs label={texts.title} tabs={tabs} />
      <Part board={board} />
    </div>
  )
}

import { PageParts } from '../../components/page-parts.tsx'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import { Exchange } from './exchange.tsx'
import { Guidelines } from './guidelines.tsx'
import { People } from './people.tsx'
import { Repositories } from './repositories.tsx'
import { Rules } from './rules.tsx'
import { Templates } from './templates.tsx'
import { Webhooks } from './webhooks.tsx'
import './settings.css'

const texts = messages.settings

const parts = [
  { part: '', label: texts.parts.rules, Part: Rules },
  { part: '/guidelines', label: texts.parts.guidelines, reads: ['GUIDELINES_READ'], Part: Guidelines },
  { part: '/templates', label: texts.parts.templates, Part: Templates },
  { part: '/people', label: texts.parts.people, reads: ['AGENTS_READ'], Part: People },
  { part: '/exchange', label: texts.parts.exchange, Part: Exchange },
  {
    part: '/repositories',
    label: texts.parts.repositories,
    reads: ['REPOSITORIES_READ'],
    Part: Repositories,
  },
  { part: '/webhooks', label: texts.parts.webhooks, reads: ['WEBHOOKS_READ'], Part: Webhooks },
] as const

/** The settings of a board: its rules, guidelines, members, exchange, repositories and webhooks. */
export default function SettingsPage(page: BoardPageProps) {
  return (
    <div className="page stack">
      <PageParts {...page} title={texts.title} path="settings" parts={parts} />
    </div>
  )
}

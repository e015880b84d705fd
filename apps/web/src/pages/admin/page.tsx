import { useRoute } from 'wouter'
import { Readable } from '../../components/guarded.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { messages } from '../../messages/messages.ts'
import { Agents } from './agents.tsx'
import { Audit } from './audit.tsx'
import { Backups } from './backups.tsx'
import { ServiceHealth } from './health.tsx'
import { People } from './people.tsx'
import { Presets } from './presets.tsx'
import { Rights } from './rights.tsx'
import { Runtime } from './runtime.tsx'
import './admin.css'

const texts = messages.administration

const parts = [
  { address: '/admin', label: texts.agents, reads: ['AGENTS_READ'], Part: Agents },
  { address: '/admin/people', label: messages.people.tab, reads: ['AGENTS_READ'], Part: People },
  { address: '/admin/presets', label: texts.presets, reads: ['PRESETS_READ'], Part: Presets },
  { address: '/admin/rights', label: texts.rights, reads: [], Part: Rights },
  { address: '/admin/settings', label: texts.settings, reads: ['SETTINGS_READ'], Part: Runtime },
  { address: '/admin/audit', label: messages.audit.tab, reads: ['AUDIT_READ'], Part: Audit },
  { address: '/admin/backups', label: messages.backups.tab, reads: ['SETTINGS_READ'], Part: Backups },
  { address: '/admin/health', label: texts.health, reads: ['SETTINGS_READ'], Part: ServiceHealth },
] as const

/** Permissions, and the health of the service. */
export default function AdministrationPage() {
  const [, params] = useRoute<{ part: string }>('/admin/:part')
  const address = params === null ? '/admin' : `/admin/${params.part}`
  const { Part, reads } = parts.find(part => part.address === address) ?? parts[0]
  return (
    <div className="page stack">
      <h1>{texts.title}</h1>
      <Tabs label={texts.title} tabs={parts} />
      <Readable needs={reads}>
        <Part />
      </Readable>
    </div>
  )
}

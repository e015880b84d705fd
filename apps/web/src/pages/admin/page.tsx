import { useRoute } from 'wouter'
import { Tabs } from '../../components/tabs.tsx'
import { messages } from '../../messages/messages.ts'
import { Agents } from './agents.tsx'
import { ServiceHealth } from './health.tsx'
import { Presets } from './presets.tsx'
import { Rights } from './rights.tsx'
import { Runtime } from './runtime.tsx'
import './admin.css'

const texts = messages.administration

const parts = [
  { address: '/admin', label: texts.agents, Part: Agents },
  { address: '/admin/presets', label: texts.presets, Part: Presets },
  { address: '/admin/rights', label: texts.rights, Part: Rights },
  { address: '/admin/settings', label: texts.settings, Part: Runtime },
  { address: '/admin/health', label: texts.health, Part: ServiceHealth },
] as const

/** Who may do what, and how the service does. */
export default function AdministrationPage() {
  const [, params] = useRoute<{ part: string }>('/admin/:part')
  const address = params === null ? '/admin' : `/admin/${params.part}`
  const { Part } = parts.find(part => part.address === address) ?? parts[0]
  return (
    <div className="page stack">
      <h1>{texts.title}</h1>
      <Tabs label={texts.title} tabs={parts} />
      <Part />
    </div>
  )
}

import { useRoute } from 'wouter'
import { SectionHeading } from '../../components/section.tsx'
import { Tabs } from '../../components/tabs.tsx'
import { useWebSession } from '../../data/me.ts'
import { messages } from '../../messages/messages.ts'
import { Apps } from './apps.tsx'
import { Display } from './display.tsx'
import { NotificationSettings } from './notifications.tsx'
import { Profile } from './profile.tsx'
import { Sessions } from './sessions.tsx'
import '../admin/admin.css'
import '../admin/people.css'

const texts = messages.me

const parts = [
  { address: '/me', label: texts.parts.profile, Part: Profile },
  { address: '/me/sessions', label: texts.parts.sessions, Part: Sessions },
  { address: '/me/apps', label: texts.parts.apps, Part: Apps },
  { address: '/me/notifications', label: texts.parts.notifications, Part: NotificationSettings },
] as const

/** The person's own settings: sign-in methods and sessions, connected apps, notifications (people 6). */
export default function ProfilePage() {
  const [, params] = useRoute<{ part: string }>('/me/:part')
  const address = params === null ? '/me' : `/me/${params.part}`
  const { Part } = parts.find(part => part.address === address) ?? parts[0]
  const { data: session } = useWebSession()
  return (
    <div className="page stack">
      <h1>{texts.title}</h1>
      {session?.kind === 'person' && (
        <>
          <Tabs label={texts.title} tabs={parts} />
          <SectionHeading value="h2">
            <div className="people-parts">
              <Part />
            </div>
          </SectionHeading>
        </>
      )}
      {session !== undefined && session.kind !== 'person' && (
        <SectionHeading value="h2">
          <p className="notice">{texts.notPerson}</p>
          <Display />
        </SectionHeading>
      )}
    </div>
  )
}

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Dialog } from '../../components/dialog.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { Failure } from '../../components/refusal.tsx'
import { dayOf } from '../../components/time.tsx'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { number } from '../../messages/format.ts'
import { messages } from '../../messages/messages.ts'
import { fieldsOf } from './fields.ts'
import type { ShownPlan } from './shown.ts'

const texts = messages.planning

type KeptKind = 'ideation' | 'refinement'

interface SnapshotCalls {
  list(id: string): Promise<{ readonly items: readonly Pick<KeptVersion, 'id' | 'version' | 'created_at'>[] }>
  read(id: string, version: number): Promise<KeptVersion & Readonly<Record<string, unknown>>>
}

interface KeptVersion {
  readonly id: string
  readonly version: number
  readonly title: string
  readonly created_at: string
}

/** The calls for the kept versions. */
const snapshotCalls: Readonly<Record<KeptKind, SnapshotCalls>> = {
  ideation: {
    list: (ideation_id: string) => client.listIdeationSnapshots({ ideation_id }),
    read: (ideation_id: string, version: number) => client.getIdeationSnapshot({ ideation_id, version }),
  },
  refinement: {
    list: (refinement_id: string) => client.listRefinementSnapshots({ refinement_id }),
    read: (refinement_id: string, version: number) => client.getRefinementSnapshot({ refinement_id, version }),
  },
}

const isKept = (kind: string): kind is KeptKind => Object.hasOwn(snapshotCalls, kind)

/** The completed versions of an ideation or refinement, each readable in its state at that time. */
export const Snapshots = ({ kind, record }: ShownPlan) =>
  isKept(kind) ? <KeptVersions kind={kind} id={record.id} /> : null

function KeptVersions({ kind, id }: { readonly kind: KeptKind; readonly id: string }) {
  const [version, setVersion] = useState<number>()
  const { data } = useQuery({
    queryKey: keys.part(kind, id, 'snapshots'),
    queryFn: async () => (await snapshotCalls[kind].list(id)).items,
  })
  if (data === undefined || data.length === 0) return null
  return (
    <details className="section">
      <summary className="section-title">
        {texts.snapshots} <span className="muted numbers">{number(data.length)}</span>
      </summary>
      <ul className="plain row wrap">
        {data.map(snapshot => (
          <li key={snapshot.id}>
            <button type="button" className="button" onClick={() => setVersion(snapshot.version)}>
              {texts.versionOf(snapshot.version)} <span className="muted">{dayOf(snapshot.created_at)}</span>
            </button>
          </li>
        ))}
      </ul>
      {version !== undefined && (
        <Snapshot kind={kind} id={id} version={version} onClose={() => setVersion(undefined)} />
      )}
    </details>
  )
}

interface SnapshotProps {
  readonly kind: KeptKind
  readonly id: string
  readonly version: number
  readonly onClose: () => void
}

function Snapshot({ kind, id, version, onClose }: SnapshotProps) {
  const { data, error } = useQuery({
    queryKey: keys.part(kind, id, 'snapshot', { version }),
    queryFn: () => snapshotCalls[kind].read(id, version),
  })
  const values: Readonly<Record<string, unknown>> = data ?? {}
  return (
    <Dialog title={`${texts.versionOf(version)} ${data?.title ?? ''}`} onClose={onClose}>
      <Failure error={error} />
      <div className="stack scrolls">
        {fieldsOf[kind]
          .map(({ name }) => [name, markdownOf(values[name])] as const)
          .filter(([, text]) => text !== '')
          .map(([name, text]) => (
            <section key={name}>
              <h3 className="section-title">{texts.fields[name]}</h3>
              <Markdown text={text} />
            </section>
          ))}
      </div>
    </Dialog>
  )
}

const markdownOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(line => `- ${String(line)}`).join('\n') : typeof value === 'string' ? value : ''

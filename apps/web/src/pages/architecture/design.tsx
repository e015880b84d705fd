import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { NotRead } from '../../components/fault.tsx'
import { Icon } from '../../components/icon.tsx'
import { Linked } from '../../components/linked.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { opening } from '../../components/part.tsx'
import { Section, SectionHeading } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { Time } from '../../components/time.tsx'
import { useTitle } from '../../components/title.ts'
import { client } from '../../data/client.ts'
import { faultOf } from '../../data/fault.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'
import type { BoardPageProps } from '../../page-props.ts'
import { Diagram } from './diagram.tsx'
import { Differences } from './differences.tsx'
import './architecture.css'

const DiagramDialog = opening(() => import('./diagram-dialog.tsx'))

const texts = messages.architecture

/** The permissions needed to change a design; the service checks the status of its record. */
const needs = ['ARCHITECTURE_UPDATE'] as const

type Design = Awaited<ReturnType<typeof client.getArchitecture>>

/** A design: its text, diagrams, parts, connections, and the differences between its versions (insight A). */
export default function DesignPage({ board, params }: BoardPageProps) {
  const design_id = params.design ?? ''
  const { data: design, error } = useQuery({
    queryKey: keys.record('architecture_design', design_id),
    queryFn: () => client.getArchitecture({ design_id }),
  })
  useTitle(design?.title)
  if (design === undefined || faultOf(error) === 'gone') return <NotRead error={error} />
  return (
    <SectionHeading value="h2">
      <article className="page stack design">
        <p>
          <Link href={`/b/${board.key}/architecture`}>{texts.title}</Link>
        </p>
        <h1 dir="auto">
          <Linked text={design.title} />
        </h1>
        <p className="row wrap">
          <span className="badge">{texts.version(design.version)}</span>
          {design.stale && <span className="badge amber">{texts.stale}</span>}
          {design.breaking_change_flag && <span className="badge red">{texts.breaking}</span>}
          {design.requires_arch_review && <span className="badge amber">{texts.review}</span>}
          <span className="muted">
            <Time at={design.updated_at} />
          </span>
        </p>
        <Markdown text={design.global_description} />
        <Diagrams design={design} />
        <Parts design={design} />
        <Versions design={design} />
      </article>
    </SectionHeading>
  )
}

function Diagrams({ design }: { readonly design: Design }) {
  const queries = useQueryClient()
  const [version, setVersion] = useState('')
  const [edit, setEdit] = useState<{ readonly of?: string }>()
  const remove = async (diagram: string) => {
    const diagrams = design.diagrams.flatMap(({ id }) => (id === diagram ? [] : [{ id }]))
    await client.updateArchitecture({ design_id: design.id, diagrams, allow_removal: true })
    await queries.invalidateQueries({ queryKey: keys.record('architecture_design', design.id) })
  }
  return (
    <Section title={texts.diagrams} count={design.diagrams.length}>
      {design.diagrams.length === 0 && <p className="muted">{texts.noDiagrams}</p>}
      {design.diagrams.length > 0 && design.versions.length > 1 && (
        <Choice
          label={texts.shownVersion}
          value={version}
          none={texts.version(design.version)}
          options={design.versions
            .filter(past => past.version !== design.version)
            .map(past => ({ value: String(past.version), label: texts.version(past.version) }))}
          onChange={setVersion}
        />
      )}
      {design.diagrams.map(({ id, title, description }) => (
        <figure key={id} className="box diagram">
          <Diagram
            designId={design.id}
            diagramId={id}
            caption={{ title, description, onEdit: () => setEdit({ of: id }), onRemove: () => remove(id) }}
            version={version === '' ? undefined : Number(version)}
          />
        </figure>
      ))}
      <Button className="button quiet add-one" needs={needs} onClick={() => setEdit({})}>
        <Icon name="plus" size={14} /> {texts.editing.add}
      </Button>
      {edit !== undefined && (
        <DiagramDialog
          designId={design.id}
          {...(edit.of !== undefined && { diagramId: edit.of })}
          onClose={() => setEdit(undefined)}
        />
      )}
    </Section>
  )
}

function Parts({ design: { entities, interfaces } }: { readonly design: Design }) {
  const nameOf = (part: string): string => entities.find(({ id }) => id === part)?.name ?? part
  return (
    <>
      {entities.length > 0 && (
        <Section title={texts.entities} count={entities.length}>
          <Table
            caption={texts.entities}
            rows={entities}
            keyOf={entity => entity.id ?? entity.name}
            columns={[
              { label: texts.name, cell: entity => entity.name },
              { label: texts.kind, cell: entity => entity.entity_type },
              { label: texts.responsibility, cell: entity => entity.responsibility },
              { label: texts.technologies, cell: entity => entity.technologies.join(', ') },
            ]}
          />
        </Section>
      )}
      {interfaces.length > 0 && (
        <Section title={texts.interfaces} count={interfaces.length}>
          <Table
            caption={texts.interfaces}
            rows={interfaces}
            keyOf={item => item.id ?? item.name}
            columns={[
              { label: texts.name, cell: item => item.name },
              { label: texts.between, cell: item => item.participants.map(nameOf).join(' – ') },
              { label: texts.protocol, cell: item => item.protocol },
              { label: texts.endpoint, cell: item => item.endpoint },
            ]}
          />
        </Section>
      )}
    </>
  )
}

function Versions({ design }: { readonly design: Design }) {
  const [compared, setCompared] = useState<number>()
  return (
    <Section title={texts.versions} count={design.versions.length}>
      <ul className="plain">
        {design.versions.map(({ version, at, actor_name, change_summary }) => (
          <li key={version} className="row wrap version">
            <span className="badge">{texts.version(version)}</span>
            <span className="grow">
              <bdi>
                <Linked text={change_summary} />
              </bdi>{' '}
              <bdi className="muted">{actor_name}</bdi>
            </span>
            <span className="muted numbers">
              <Time at={at} />
            </span>
            {version > 1 && (
              <button
                type="button"
                className="button quiet"
                aria-label={`${texts.compare}: ${texts.version(version)}`}
                onClick={() => setCompared(version)}
              >
                {texts.compare}
              </button>
            )}
          </li>
        ))}
      </ul>
      {compared !== undefined && <Differences designId={design.id} from={compared - 1} to={compared} />}
    </Section>
  )
}

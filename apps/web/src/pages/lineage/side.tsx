import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { addressOfLineage } from '../../address.ts'
import { Icon } from '../../components/icon.tsx'
import { Linked } from '../../components/linked.tsx'
import type { LineageNode } from '../../data/lineage.ts'
import { messages } from '../../messages/messages.ts'
import { kindIcons, NodeState } from './node-state.tsx'
import type { Relations } from './tree.ts'
import { addressOfNode } from './tree-view.tsx'

const texts = messages.lineage

/** How many entries of a long list are shown. */
const max = 12

interface LineageSideProps {
  readonly boardKey: string
  readonly of: string
  readonly chosen: LineageNode
  readonly path: readonly LineageNode[]
  readonly downstream: readonly LineageNode[]
  readonly related: readonly Relations[]
  readonly onChoose: (node: LineageNode) => void
}

/** The origin of the selected record, everything downstream of it, and its other relations. */
export function LineageSide({ boardKey, of, chosen, path, downstream, related, onChoose }: LineageSideProps) {
  const address = addressOfNode(chosen, path.at(-2))
  const above = path.slice(0, -1)
  return (
    <aside className="lineage-side" aria-label={texts.side}>
      <p className="row">
        <Icon name={kindIcons[chosen.entity_type]} size={14} />
        <span className="ref grow">
          {texts.kinds[chosen.entity_type]} {chosen.ref}
        </span>
        <NodeState node={chosen} />
      </p>
      <h2 dir="auto">
        <Linked text={chosen.title} />
      </h2>
      <p className="row wrap">
        {address !== undefined && (
          <Link className="button" href={address}>
            <Icon name="expand" /> {texts.openRecord(texts.kinds[chosen.entity_type])}
          </Link>
        )}
        {of === '' && chosen.ref !== undefined && (
          <Link className="button" href={addressOfLineage(chosen.ref)}>
            <Icon name="lineage" /> {texts.treeOf}
          </Link>
        )}
        {of !== '' && (
          <Link className="button" href={`/b/${boardKey}/lineage?at=${chosen.ref ?? chosen.id}`}>
            <Icon name="lineage" /> {texts.whole}
          </Link>
        )}
      </p>
      {above.length > 0 && (
        <Part title={texts.cameFrom}>
          <Nodes nodes={above} onChoose={onChoose} />
        </Part>
      )}
      <Part title={texts.downstream}>
        {downstream.length === 0 ? (
          <p className="muted">{texts.noDownstream}</p>
        ) : (
          <dl className="lineage-counts">
            {[...Map.groupBy(downstream, node => node.entity_type)].map(([kind, nodes]) => (
              <div key={kind}>
                <dt>{texts.many[kind]}</dt>
                <dd className="numbers">
                  {texts.counted(nodes.filter(({ status }) => status === 'done').length, nodes.length)}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Part>
      {related.map(({ how, nodes }) => (
        <Part key={how} title={texts.relations[how]}>
          <Nodes nodes={nodes} onChoose={onChoose} />
        </Part>
      ))}
    </aside>
  )
}

const Part = ({ title, children }: { readonly title: string; readonly children: ReactNode }) => (
  <section className="section">
    <h3 className="section-title">{title}</h3>
    {children}
  </section>
)

interface NodesProps {
  readonly nodes: readonly LineageNode[]
  readonly onChoose: (node: LineageNode) => void
}

/** Nodes of the graph, each of which can be selected. */
const Nodes = ({ nodes, onChoose }: NodesProps) => (
  <ul className="plain">
    {nodes.slice(0, max).map(node => (
      <li key={node.id}>
        <button type="button" className="reference row lineage-choice" onClick={() => onChoose(node)}>
          <Icon name={kindIcons[node.entity_type]} size={14} />
          {node.ref !== undefined && <span className="ref">{node.ref}</span>}
          <span className="truncate grow" dir="auto">
            {node.title}
          </span>
        </button>
      </li>
    ))}
    {nodes.length > max && <li className="muted numbers">+{nodes.length - max}</li>}
  </ul>
)

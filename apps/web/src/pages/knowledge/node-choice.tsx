import { useEffect, useState } from 'react'
import { opening } from '../../components/part.tsx'
import { type GraphNode, type NodeType, useSearch } from '../../data/knowledge.ts'
import { TypeBadge } from './parts.tsx'

const Picker = opening(() => import('../../components/picker.tsx'))

/** How long typing pauses before a search, ms: each search affects the relevance of its results. */
const restMs = 250

interface NodeName {
  readonly id: string
  readonly title: string
  readonly type: NodeType
}

interface NodeChoiceProps {
  readonly boardId: string
  readonly label: string
  /** The placeholder while nothing is chosen. */
  readonly none: string
  readonly chosen: Pick<GraphNode, 'id' | 'title'> | undefined
  /** The nodes to choose from before anything is typed. */
  readonly suggestions: readonly GraphNode[]
  readonly onChoose: (id: string) => void
}

/** A field for a node of the graph: one of those shown, or one found by a search. */
export function NodeChoice({ boardId, label, none, chosen, suggestions, onChoose }: NodeChoiceProps) {
  const [anchor, setAnchor] = useState<HTMLElement>()
  const [words, setWords] = useState('')
  const query = useRested(words)
  const { data: found = [] } = useSearch(boardId, { q: query, type: undefined, by: 'meaning' })
  const options: readonly NodeName[] =
    words === ''
      ? suggestions.map(({ id, title, node_type }) => ({ id, title, type: node_type }))
      : query === ''
        ? []
        : found.filter(({ isFar }) => !isFar)
  return (
    <div className="field knowledge-choice">
      <span aria-hidden="true">{label}</span>
      <button
        type="button"
        className="input"
        aria-haspopup="dialog"
        aria-label={`${label}: ${chosen?.title ?? none}`}
        title={chosen?.title}
        onClick={({ currentTarget }) => {
          setWords('')
          setAnchor(currentTarget)
        }}
      >
        <bdi className={chosen === undefined ? 'truncate muted' : 'truncate'}>{chosen?.title ?? none}</bdi>
      </button>
      {anchor !== undefined && (
        <Picker
          label={label}
          anchor={anchor}
          options={options.map(({ id, title, type }) => ({
            value: id,
            label: title,
            sign: <TypeBadge type={type} />,
          }))}
          chosen={chosen === undefined ? [] : [chosen.id]}
          onWords={text => setWords(text.trim())}
          onChoose={id => {
            setAnchor(undefined)
            onChoose(id)
          }}
          onClose={() => setAnchor(undefined)}
        />
      )}
    </div>
  )
}

/** The typed text after a pause; an empty text at once. */
function useRested(words: string): string {
  const [rested, setRested] = useState(words)
  useEffect(() => {
    const timer = setTimeout(() => setRested(words), words === '' ? 0 : restMs)
    return () => clearTimeout(timer)
  }, [words])
  return rested
}

import { useInfiniteQuery } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { Link } from 'wouter'
import { addressOfRef } from '../../address.ts'
import { useAddressFilters } from '../../components/address-filters.ts'
import { Choice } from '../../components/choice.tsx'
import { Empty } from '../../components/empty.tsx'
import { Input } from '../../components/input.tsx'
import { Linked } from '../../components/linked.tsx'
import { More } from '../../components/more.tsx'
import { plainText } from '../../components/plain-text.ts'
import { Failure } from '../../components/refusal.tsx'
import { Time } from '../../components/time.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { type FoundNode, graphKey, isNodeType, type NodeType, nodeTypes, useSearch } from '../../data/knowledge.ts'
import { messages } from '../../messages/messages.ts'
import { addressOfNode, percentOf, TypeBadge } from './parts.tsx'

const texts = messages.knowledge

interface BoardProps {
  readonly board: BoardListItem
}

/** Searches by meaning or by words; without words, shows the newest nodes. The search is in the address. */
export function Search({ board }: BoardProps) {
  const [query, set] = useAddressFilters()
  const typeParam = query.get('type')
  const search = {
    q: query.get('q') ?? '',
    type: isNodeType(typeParam) ? typeParam : undefined,
    by: query.get('by') === 'words' ? 'words' : 'meaning',
  } as const
  const { data, error, isFetching } = useSearch(board.id, search)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    set('q', String(new FormData(event.currentTarget).get('q')).trim())
  }
  return (
    <>
      <search>
        <form className="row wrap knowledge-search" onSubmit={submit}>
          <label className="field grow">
            <span>{texts.query}</span>
            <input key={search.q} className="input" type="search" name="q" defaultValue={search.q} maxLength={2000} />
          </label>
          <Choice
            label={texts.type}
            none={texts.anyType}
            value={search.type ?? ''}
            options={nodeTypes.map(value => ({ value, label: texts.types[value] }))}
            onChange={type => set('type', type)}
          />
          <fieldset className="row knowledge-by">
            {(['meaning', 'words'] as const).map(by => (
              <label key={by} className="row">
                <Input
                  needs={by === 'words' ? ['KG_QUERY'] : []}
                  type="radio"
                  name="by"
                  checked={search.by === by}
                  onChange={() => set('by', by)}
                />
                {texts.by[by]}
              </label>
            ))}
          </fieldset>
          <button type="submit" className="button primary">
            {texts.search}
          </button>
        </form>
      </search>
      <Failure error={error} />
      {search.q === '' ? (
        <Newest board={board} type={search.type} />
      ) : (
        data !== undefined && <Results board={board} found={data} isOld={isFetching} />
      )}
    </>
  )
}

interface ResultsProps extends BoardProps {
  readonly found: readonly FoundNode[]
  /** Whether it is the result of an earlier search. */
  readonly isOld: boolean
}

function Results({ board, found, isOld }: ResultsProps) {
  if (found.length === 0) return <Empty title={texts.nothing} lead={texts.nothingLead} />
  return (
    <section aria-busy={isOld} className="stack">
      <p className="muted numbers" aria-live="polite">
        {found[0]?.isFar === true ? texts.nearest : texts.found(found.length)}
      </p>
      <ul className="plain knowledge-found">
        {found.map(item => (
          <li key={item.id} className={item.isSuperseded ? 'knowledge-item superseded' : 'knowledge-item'}>
            <span className="row wrap">
              <TypeBadge type={item.type} />
              <Link className="knowledge-title" href={addressOfNode(board.key, item.id)} dir="auto">
                {item.title}
              </Link>
              {item.isSuperseded && <span className="badge">{texts.superseded}</span>}
              <span className="grow" />
              {item.ref !== null && <Link href={addressOfRef(item.ref)}>{item.ref}</Link>}
              {item.also !== undefined && <span className="muted">{texts.also(item.also)}</span>}
              {item.similarity !== undefined && (
                <span className="badge numbers">{texts.similarity(percentOf(item.similarity))}</span>
              )}
            </span>
            {item.excerpt !== item.title && (
              <p className="muted clamp" dir="auto">
                <Linked text={plainText(item.excerpt)} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

interface NewestProps extends BoardProps {
  readonly type: NodeType | undefined
}

/** The newest nodes. */
function Newest({ board, type }: NewestProps) {
  const listed = useInfiniteQuery({
    queryKey: graphKey(board.id, 'nodes', { type }),
    queryFn: ({ pageParam }) =>
      client.listKgNodes({
        board_id: board.id,
        ...(type !== undefined && { type }),
        ...(pageParam !== '' && { cursor: pageParam }),
      }),
    initialPageParam: '',
    getNextPageParam: last => last.next_cursor,
    staleTime: 0,
  })
  const { data, error } = listed
  if (error !== null) return <Failure error={error} />
  if (data === undefined) return <p className="muted">{messages.shell.loading}</p>
  const nodes = data.pages.flatMap(page => page.nodes)
  if (nodes.length === 0) return <Empty title={texts.empty} lead={texts.emptyLead} />
  return (
    <section className="stack">
      <h2 className="section-title">{texts.newest}</h2>
      <ul className="plain knowledge-found">
        {nodes.map(({ id, node_type, title, content, created_at }) => (
          <li key={id} className="knowledge-item">
            <span className="row wrap">
              <TypeBadge type={node_type} />
              <Link className="knowledge-title" href={addressOfNode(board.key, id)} dir="auto">
                {title}
              </Link>
              <span className="grow" />
              <span className="muted">
                <Time at={created_at} />
              </span>
            </span>
            {content !== title && content !== '' && (
              <p className="muted clamp" dir="auto">
                <Linked text={plainText(content)} />
              </p>
            )}
          </li>
        ))}
      </ul>
      <More of={listed} label={texts.older} />
    </section>
  )
}

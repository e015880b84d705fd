import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Input } from '../../components/input.tsx'
import { opening } from '../../components/part.tsx'
import { Avatar } from '../../components/person.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Section, SectionHeading } from '../../components/section.tsx'
import { Table } from '../../components/table.tsx'
import { type BoardListItem, useMembers } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { type ImportedName, importedNamesOf, reassign } from '../../data/imported-names.ts'
import { keys } from '../../data/keys.ts'
import { messages } from '../../messages/messages.ts'

const Picker = opening(() => import('../../components/picker.tsx'))

const texts = messages.settings.names

const needs = ['BOARDS_UPDATE'] as const

/** Somebody whom an imported name may belong to. */
interface Goal {
  readonly id: string
  readonly name: string
}

/**
 * The imported names in the records of a board that belong to nobody here, to be merged into somebody or kept apart.
 */
export function ImportedNames({ board }: { readonly board: BoardListItem }) {
  const queries = useQueryClient()
  const { data, error } = useQuery(importedNamesOf(board.id))
  const [choosing, setChoosing] = useState<{ readonly name: ImportedName; readonly anchor: HTMLElement }>()
  const [merging, setMerging] = useState<{ readonly name: ImportedName; readonly into: Goal }>()
  const refresh = () => queries.invalidateQueries({ queryKey: keys.board(board.id) })
  const deciding = useMutation({
    mutationFn: async (decision: { readonly id: string; readonly kept_apart?: boolean }) => {
      await client.putImportedName({ board_id: board.id, ...decision })
      await refresh()
    },
  })
  if (data === undefined || data.length === 0) return <Failure error={error} />
  return (
    <SectionHeading value="h2">
      <div className="imported-names">
        <Section title={texts.title} count={data.length}>
          <p className="muted">{texts.lead}</p>
          <Failure error={deciding.error} />
          <Table
            caption={texts.title}
            rows={data}
            keyOf={({ id }) => id}
            columns={[
              { label: texts.name, cell: ({ name }) => <bdi>{name}</bdi> },
              { label: texts.assigned, isNumber: true, cell: ({ assigned }) => assigned },
              { label: texts.authored, isNumber: true, cell: ({ authored }) => authored },
              { label: texts.means, cell: name => <Means name={name} onChoose={into => setMerging({ name, into })} /> },
              {
                label: texts.actions,
                cell: name =>
                  name.merged_into !== null || name.kept_apart ? (
                    <Button
                      className="button quiet"
                      needs={needs}
                      aria-label={texts.undoOf(name.name)}
                      onClick={() => deciding.mutate({ id: name.id })}
                    >
                      {texts.undo}
                    </Button>
                  ) : (
                    <span className="row">
                      <Button
                        className="button quiet"
                        needs={needs}
                        aria-label={texts.mergeOf(name.name)}
                        aria-haspopup="dialog"
                        onClick={({ currentTarget }) => setChoosing({ name, anchor: currentTarget })}
                      >
                        {texts.merge}
                      </Button>
                      <Button
                        className="button quiet"
                        needs={needs}
                        aria-label={texts.apartOf(name.name)}
                        onClick={() => deciding.mutate({ id: name.id, kept_apart: true })}
                      >
                        {texts.apart}
                      </Button>
                    </span>
                  ),
              },
            ]}
          />
          {choosing !== undefined && (
            <GoalPicker
              board={board}
              names={data}
              name={choosing.name}
              anchor={choosing.anchor}
              onChoose={into => {
                setChoosing(undefined)
                setMerging({ name: choosing.name, into })
              }}
              onClose={() => setChoosing(undefined)}
            />
          )}
          {merging !== undefined && (
            <Merging {...merging} boardId={board.id} onMerged={refresh} onClose={() => setMerging(undefined)} />
          )}
        </Section>
      </div>
    </SectionHeading>
  )
}

interface MeansProps {
  readonly name: ImportedName
  readonly onChoose: (into: Goal) => void
}

/** The person or agent that a name was merged into; otherwise somebody with the same name. */
function Means({ name: { name, merged_into: into, kept_apart, twins }, onChoose }: MeansProps) {
  if (into !== null)
    return (
      <span className="row">
        <Avatar name={into.name} />
        <bdi className="truncate">{into.name}</bdi>
      </span>
    )
  if (kept_apart) return <span className="muted">{texts.isApart}</span>
  return (
    <span className="row wrap">
      {twins.map(twin => (
        <Button
          key={twin.id}
          className="button"
          needs={needs}
          aria-label={texts.sameOf(name, twin.name)}
          onClick={() => onChoose(twin)}
        >
          <span className="truncate">{texts.same(twin.name)}</span>
        </Button>
      ))}
    </span>
  )
}

interface GoalPickerProps {
  readonly board: BoardListItem
  readonly names: readonly ImportedName[]
  readonly name: ImportedName
  readonly anchor: HTMLElement
  readonly onChoose: (into: Goal) => void
  readonly onClose: () => void
}

/** The members of the board, and the other names that are not merged. */
function GoalPicker({ board, names, name, anchor, onChoose, onClose }: GoalPickerProps) {
  const { data: members = [] } = useMembers(board.id)
  const active = members.filter(member => member.is_active && !member.deleted && member.access !== 'none')
  const others = names.filter(other => other.id !== name.id && other.merged_into === null)
  const goals: readonly Goal[] = [
    ...active,
    ...others.map(({ id, name: called }) => ({ id, name: messages.shell.external(called) })),
  ]
  return (
    <Picker
      label={texts.into(name.name)}
      anchor={anchor}
      options={goals.map(goal => ({ value: goal.id, label: goal.name, sign: <Avatar name={goal.name} /> }))}
      chosen={[]}
      onChoose={id => onChoose(goals.find(goal => goal.id === id)!)}
      onClose={onClose}
    />
  )
}

interface MergingProps {
  readonly boardId: string
  readonly name: ImportedName
  readonly into: Goal
  readonly onMerged: () => Promise<unknown>
  readonly onClose: () => void
}

/** Asks before a name is merged, and reassigns its records if the person wants. */
function Merging({ boardId, name, into, onMerged, onClose }: MergingProps) {
  const [isAssigning, setAssigning] = useState(true)
  const merging = useMutation({
    mutationFn: async () => {
      if (name.merged_into?.id !== into.id)
        await client.putImportedName({ board_id: boardId, id: name.id, merged_into: into.id })
      const refused = isAssigning && name.assigned > 0 ? await reassign(boardId, name.id, into.id) : []
      await onMerged()
      return refused
    },
    onSuccess: refused => {
      if (refused.length === 0) onClose()
    },
  })
  const refused = merging.data ?? []
  return (
    <Dialog title={texts.mergeTitle(name.name, into.name)} onClose={onClose}>
      <p>{texts.mergeLead}</p>
      {name.assigned > 0 && refused.length === 0 && (
        <label className="row">
          <Input type="checkbox" checked={isAssigning} onChange={({ target }) => setAssigning(target.checked)} />
          {texts.assign(name.assigned, into.name)}
        </label>
      )}
      <Failure error={merging.error} />
      {refused.length > 0 && (
        <div className="refusal stack" role="alert">
          <p>{texts.refused(refused.length)}</p>
          <ul>
            {refused.map(({ ref, message }) => (
              <li key={ref}>
                <span className="ref">{ref}</span> {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="row">
        {refused.length === 0 && (
          <button
            type="button"
            className="button primary"
            disabled={merging.isPending}
            onClick={() => merging.mutate()}
          >
            {texts.mergeNow}
          </button>
        )}
        <button type="button" className="button quiet" data-first="" onClick={onClose}>
          {refused.length === 0 ? messages.shell.cancel : messages.shell.close}
        </button>
      </div>
    </Dialog>
  )
}

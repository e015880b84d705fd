import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Choice } from '../../components/choice.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { Empty } from '../../components/empty.tsx'
import { Icon } from '../../components/icon.tsx'
import { Input } from '../../components/input.tsx'
import { Linked } from '../../components/linked.tsx'
import { Markdown } from '../../components/markdown.tsx'
import { Failure } from '../../components/refusal.tsx'
import { type ReadWritten, WrittenDialog } from '../../components/written-dialog.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import { readWithTag } from '../../data/tagged.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.settings.guidelines

type BoardGuideline = Awaited<ReturnType<typeof client.listBoardGuidelines>>['items'][number]
type GuidelineDialog = { readonly kind: 'new' } | { readonly kind: 'edit' | 'remove'; readonly of: BoardGuideline }

/** The guidelines in force on a board, in their order (planning 2). */
export function Guidelines({ board }: { readonly board: BoardListItem }) {
  const queries = useQueryClient()
  const queryKey = keys.list(board.id, 'guideline')
  const [dialog, setDialog] = useState<GuidelineDialog>()
  const { data, error } = useQuery({
    queryKey,
    queryFn: async () => (await client.listBoardGuidelines({ board_id: board.id })).items,
  })
  const { data: own } = useQuery({
    queryKey: keys.service('guidelines'),
    queryFn: async () => (await client.listGuidelines()).items,
  })
  const after = async (change: Promise<unknown>) => {
    await change
    await queries.invalidateQueries({ queryKey })
    setDialog(undefined)
  }
  const changing = useMutation({ mutationFn: after })
  const linked = new Set(data?.map(({ guideline }) => guideline.id))
  const linkable = own?.filter(({ id }) => !linked.has(id)) ?? []
  return (
    <>
      <div className="row wrap">
        <p className="muted grow">{texts.lead}</p>
        <Button needs={['GUIDELINES_LINK']} className="button primary" onClick={() => setDialog({ kind: 'new' })}>
          <Icon name="plus" /> {texts.new}
        </Button>
      </div>
      {linkable.length > 0 && (
        <Choice
          label={texts.link}
          value=""
          none="–"
          needs={['GUIDELINES_LINK']}
          options={linkable.map(({ id, title }) => ({ value: id, label: title }))}
          onChange={guideline_id =>
            guideline_id !== '' && changing.mutate(client.addBoardGuideline({ board_id: board.id, guideline_id }))
          }
        />
      )}
      <Failure error={error ?? changing.error} />
      {data?.length === 0 && <Empty title={texts.empty} lead={texts.emptyLead} />}
      {data?.map(item => (
        <article key={item.id} className="box stack guideline">
          <header className="row wrap">
            <h2 className="grow" dir="auto">
              <Linked text={item.guideline.title} />
            </h2>
            {item.scope === 'global' && <span className="badge">{texts.global}</span>}
            {item.guideline.tags?.map(tag => (
              <span key={tag} className="badge">
                {tag}
              </span>
            ))}
            <Input
              needs={['GUIDELINES_LINK']}
              key={item.priority}
              className="input numbers"
              type="number"
              aria-label={`${texts.priority}: ${item.guideline.title}`}
              title={texts.priority}
              defaultValue={item.priority}
              onBlur={event => {
                const priority = Number(event.target.value)
                if (priority !== item.priority)
                  changing.mutate(
                    client.updateBoardGuideline({ board_id: board.id, guideline_id: item.guideline.id, priority }),
                  )
              }}
            />
            <Button
              needs={['GUIDELINES_UPDATE']}
              className="button quiet"
              aria-label={`${texts.edit}: ${item.guideline.title}`}
              onClick={() => setDialog({ kind: 'edit', of: item })}
            >
              {texts.edit}
            </Button>
            <Button
              needs={[item.scope === 'inline' ? 'GUIDELINES_DELETE' : 'GUIDELINES_LINK']}
              className="button quiet"
              aria-label={`${texts.remove}: ${item.guideline.title}`}
              onClick={() => setDialog({ kind: 'remove', of: item })}
            >
              {texts.remove}
            </Button>
          </header>
          <Markdown text={item.guideline.content} />
        </article>
      ))}
      {dialog?.kind === 'new' && (
        <WrittenDialog
          draft={`new-guideline:${board.id}`}
          title={texts.new}
          contentLabel={texts.content}
          submit={messages.shell.save}
          onClose={() => setDialog(undefined)}
          write={text => after(client.addBoardGuideline({ board_id: board.id, ...text }))}
        />
      )}
      {dialog?.kind === 'edit' && (
        <WrittenDialog
          draft={`guideline:${dialog.of.guideline.id}`}
          title={texts.edit}
          contentLabel={texts.content}
          submit={messages.shell.save}
          onClose={() => setDialog(undefined)}
          read={() => readGuideline(dialog.of.guideline.id)}
          write={(text, ifMatch) =>
            after(client.updateGuideline({ guideline_id: dialog.of.guideline.id, ...text }, { ifMatch }))
          }
        />
      )}
      {dialog?.kind === 'remove' && (
        <Confirm
          title={texts.removeAsk(dialog.of.guideline.title)}
          lead={dialog.of.scope === 'inline' ? texts.deleteLead : texts.unlinkLead}
          action={dialog.of.scope === 'inline' ? texts.delete : texts.remove}
          onClose={() => setDialog(undefined)}
          onConfirm={() =>
            after(
              dialog.of.scope === 'inline'
                ? client.deleteGuideline({ guideline_id: dialog.of.guideline.id })
                : client.removeBoardGuideline({ board_id: board.id, guideline_id: dialog.of.guideline.id }),
            )
          }
        />
      )}
    </>
  )
}

/** A guideline, as the initial state of an edit. */
const readGuideline = (guideline_id: string): Promise<ReadWritten> =>
  readWithTag(options => client.getGuideline({ guideline_id }, options))

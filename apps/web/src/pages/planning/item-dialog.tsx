import { useQueryClient } from '@tanstack/react-query'
import { Dialog } from '../../components/dialog.tsx'
import { Conflict } from '../../components/edited-text.tsx'
import { Form } from '../../components/form.tsx'
import { Input, TextArea } from '../../components/input.tsx'
import { Submit } from '../../components/submit.tsx'
import { planCalls, refreshPlan } from '../../data/planning.ts'
import { useWriting } from '../../data/use-writing.ts'
import { messages } from '../../messages/messages.ts'
import { itemsIn, linesIn } from './field-values.ts'
import type { ItemsField } from './fields.ts'
import { freeId, type Item, placesNamed, textOfLine, withItem } from './lists.ts'
import type { ShownPlan } from './shown.ts'

interface ItemDialogProps extends ShownPlan {
  readonly field: ItemsField
  readonly item: Item
  readonly onClose: () => void
}

/** The state that an edit began with: the list, the item, and the ETag of their record. */
interface Base {
  readonly items: readonly Item[]
  readonly tag: string
  readonly item: Item
}

const textOf = (item: Item, name: string): string => {
  const value = item[name]
  return typeof value === 'string' ? value : ''
}

const texts = messages.planning

/**
 * Edits the texts of an item. If somebody else has changed the same item in the meantime, their version is shown next
 * to the person's own.
 */
export function ItemDialog({ kind, record, tag, field, item, onClose }: ItemDialogProps) {
  const queries = useQueryClient()
  const isNew = !itemsIn(record, field.name).some(({ id }) => id === item.id)
  const draft = `${field.name}:${record.id}:${isNew ? 'new' : item.id}`

  /** The current list, with the item in it; a removed item is restored, a new one gets a free id. */
  async function read(): Promise<Base> {
    const now = await refreshPlan(queries, kind, record.id)
    const items = itemsIn(now.record, field.name)
    const found = items.find(({ id }) => id === item.id) ?? item
    return { items, tag: now.tag, item: isNew ? { id: freeId(items, field.prefix) } : found }
  }

  const { saving, base, theirs, restart } = useWriting<Base, Readonly<Record<string, unknown>>>(
    { items: itemsIn(record, field.name), tag, item },
    {
      draft,
      write(changes, state) {
        const changed = withItem(state.items, { ...state.item, ...changes })
        return planCalls[kind].update(record.id, { [field.name]: changed }, { ifMatch: state.tag })
      },
      read,
      isSame: (now, before) => isNew || field.texts.every(name => textOf(now.item, name) === textOf(before.item, name)),
      onWritten() {
        onClose()
        void refreshPlan(queries, kind, record.id)
      },
    },
  )
  const { links } = field
  const sentences = links === undefined ? [] : linesIn(record, links.to).map(textOfLine)
  const named = links === undefined ? [] : placesNamed(item, links.field, sentences)
  /** The chosen sentences; empty if they are the ones that the item already named. */
  const linksIn = (fields: FormData): Readonly<Record<string, unknown>> => {
    const chosen = fields.getAll('link').map(String)
    return links === undefined || chosen.join() === named.join() ? {} : { [links.field]: chosen }
  }
  const send = (fields: FormData) => {
    const values = Object.fromEntries(field.texts.map(name => [name, String(fields.get(name))]))
    return saving.mutateAsync({ ...values, ...linksIn(fields) })
  }
  return (
    <Dialog title={texts.itemTitle(texts.fields[field.name])} onClose={onClose}>
      <Form draft={draft} from={base} className="stack scrolls" onSend={send} onDiscard={restart}>
        {theirs !== undefined && (
          <Conflict theirs={field.texts.map(name => `${texts.item[name]}: ${textOf(theirs.item, name)}`).join('\n')} />
        )}
        {field.texts.map(name => (
          <label key={name} className="field">
            <span>{texts.item[name]}</span>
            <TextArea
              className="input plan-short"
              name={name}
              rows={1}
              required={field.required.includes(name)}
              defaultValue={textOf(item, name)}
            />
          </label>
        ))}
        {links !== undefined && sentences.length > 0 && (
          <fieldset className="plan-choices">
            <legend>{texts.fields[links.to]}</legend>
            {sentences.map((sentence, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a sentence is named by its place
              <label key={place} className="row">
                <Input type="checkbox" name="link" value={place} defaultChecked={named.includes(place)} />
                {sentence}
              </label>
            ))}
          </fieldset>
        )}
        <Submit sending={saving}>{messages.card.save}</Submit>
      </Form>
    </Dialog>
  )
}

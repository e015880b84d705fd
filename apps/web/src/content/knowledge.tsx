import { useState } from 'react'
import { Button } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { IconButton } from '../components/icon-button.tsx'
import { Linked } from '../components/linked.tsx'
import { Markdown } from '../components/markdown.tsx'
import { Removal } from '../components/removal.tsx'
import { Section } from '../components/section.tsx'
import { WrittenDialog } from '../components/written-dialog.tsx'
import { messages } from '../messages/messages.ts'
import type { KnowledgeCalls, KnowledgeItem } from './knowledge-calls.ts'
import { KnowledgeContent } from './knowledge-content.tsx'

const texts = messages.card

interface KnowledgeProps {
  readonly items: readonly KnowledgeItem[]
  readonly calls: KnowledgeCalls
}

/** What is being written: a new item, or an existing one. */
type KnowledgeEdit = { readonly kind: 'add' } | { readonly kind: 'change'; readonly of: KnowledgeItem }

/** The knowledge of a record, with controls to add, change and remove items. */
export function Knowledge({ items, calls }: KnowledgeProps) {
  const [edit, setEdit] = useState<KnowledgeEdit>()
  const close = () => setEdit(undefined)
  const adding = (
    <>
      <Button className="button quiet add-one" needs={calls.needs.add} onClick={() => setEdit({ kind: 'add' })}>
        <Icon name="plus" size={14} /> {texts.addKnowledge}
      </Button>
      {edit?.kind === 'add' && (
        <WrittenDialog
          draft={`${calls.key.join(':')}:new`}
          title={texts.addKnowledge}
          contentLabel={texts.knowledgeContent}
          submit={messages.planning.addItem}
          write={text => calls.add(text)}
          onClose={close}
        />
      )}
    </>
  )
  if (items.length === 0) return adding
  return (
    <Section title={texts.knowledge} count={items.length}>
      {items.map(item => (
        <KnowledgeBox key={item.id} item={item} calls={calls} onChange={() => setEdit({ kind: 'change', of: item })} />
      ))}
      {adding}
      {edit?.kind === 'change' && <ChangeDialog item={edit.of} calls={calls} onClose={close} />}
    </Section>
  )
}

interface ChangeDialogProps {
  readonly item: KnowledgeItem
  readonly calls: KnowledgeCalls
  readonly onClose: () => void
}

const ChangeDialog = ({ item: { id, title }, calls: { change, key }, onClose }: ChangeDialogProps) =>
  change === undefined ? null : (
    <WrittenDialog
      draft={`${key.join(':')}:${id}`}
      title={texts.editKnowledge(title)}
      contentLabel={texts.knowledgeContent}
      submit={texts.save}
      read={() => change.read(id)}
      write={(text, ifMatch) => change.write(id, text, ifMatch)}
      onClose={onClose}
    />
  )

interface KnowledgeBoxProps {
  readonly item: KnowledgeItem
  readonly calls: KnowledgeCalls
  readonly onChange: () => void
}

function KnowledgeBox({ item: { id, title, description, content }, calls, onChange }: KnowledgeBoxProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="box" onToggle={event => setIsOpen(event.currentTarget.open)}>
      <summary dir="auto">{title}</summary>
      {description !== null && (
        <p className="muted">
          <Linked text={description} />
        </p>
      )}
      {content !== undefined && <Markdown text={content} />}
      {content === undefined && isOpen && <KnowledgeContent id={id} calls={calls} />}
      {calls.change !== undefined && (
        <IconButton
          icon="edit"
          label={texts.editKnowledge(title)}
          title={texts.edit}
          needs={calls.needs.change}
          onClick={onChange}
        />
      )}
      <Removal
        label={texts.removeKnowledge(title)}
        lead={texts.removeKnowledgeLead}
        needs={calls.needs.remove}
        onConfirm={() => calls.remove(id)}
      />
    </details>
  )
}

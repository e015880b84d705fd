import { useState } from 'react'
import { Confirm } from '../components/confirm.tsx'
import { Icon } from '../components/icon.tsx'
import { IconButton } from '../components/icon-button.tsx'
import { Markdown } from '../components/markdown.tsx'
import { Section } from '../components/section.tsx'
import { messages } from '../messages/messages.ts'
import { AddKnowledgeDialog } from './add-knowledge-dialog.tsx'
import type { KnowledgeCalls, KnowledgeItem } from './knowledge-calls.ts'
import { KnowledgeContent } from './knowledge-content.tsx'

const texts = messages.card

interface KnowledgeProps {
  readonly items: readonly KnowledgeItem[]
  readonly calls: KnowledgeCalls
}

/** What is known that helps with a record, and ways to add to it and to take from it. */
export function Knowledge({ items, calls }: KnowledgeProps) {
  const [isAdding, setIsAdding] = useState(false)
  const [removed, setRemoved] = useState<KnowledgeItem>()
  return (
    <Section title={texts.knowledge} count={items.length}>
      {items.map(item => (
        <KnowledgeBox key={item.id} item={item} calls={calls} onRemove={() => setRemoved(item)} />
      ))}
      <div className="row">
        <button type="button" className="button" onClick={() => setIsAdding(true)}>
          <Icon name="plus" /> {texts.addKnowledge}
        </button>
      </div>
      {isAdding && <AddKnowledgeDialog onSubmit={written => calls.add(written)} onClose={() => setIsAdding(false)} />}
      {removed !== undefined && (
        <Confirm
          title={texts.removeKnowledge(removed.title)}
          lead={texts.removeKnowledgeLead}
          action={texts.remove}
          onConfirm={() => calls.remove(removed.id)}
          onClose={() => setRemoved(undefined)}
        />
      )}
    </Section>
  )
}

interface KnowledgeBoxProps {
  readonly item: KnowledgeItem
  readonly calls: KnowledgeCalls
  readonly onRemove: () => void
}

function KnowledgeBox({ item: { id, title, description, content }, calls, onRemove }: KnowledgeBoxProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details className="box" onToggle={event => setIsOpen(event.currentTarget.open)}>
      <summary>{title}</summary>
      {description !== null && <p className="muted">{description}</p>}
      {content !== undefined && <Markdown text={content} />}
      {content === undefined && isOpen && <KnowledgeContent id={id} calls={calls} />}
      <IconButton icon="close" label={texts.removeKnowledge(title)} title={texts.remove} onClick={onRemove} />
    </details>
  )
}

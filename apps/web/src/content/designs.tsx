import { useState } from 'react'
import { Link } from 'wouter'
import { addressOfDesign } from '../address.ts'
import { Button } from '../components/button.tsx'
import { Icon } from '../components/icon.tsx'
import { opening } from '../components/part.tsx'
import { Section } from '../components/section.tsx'
import type { Card } from '../data/cards.ts'
import { messages } from '../messages/messages.ts'
import type { DesignCalls } from './design-calls.ts'

const DesignDialog = opening(() => import('./design-dialog.tsx'))

const texts = messages.architecture

interface DesignsProps {
  readonly boardKey: string
  readonly designs: Card['architecture_designs']
  readonly calls: DesignCalls
}

/** The designs of a record, each linked to its page, and a control to add one. */
export function Designs({ boardKey, designs, calls }: DesignsProps) {
  const [isAdding, setAdding] = useState(false)
  const adding = (
    <>
      <Button className="button quiet add-one" needs={calls.needs} onClick={() => setAdding(true)}>
        <Icon name="plus" size={14} /> {texts.editing.addDesign}
      </Button>
      {isAdding && <DesignDialog boardKey={boardKey} calls={calls} onClose={() => setAdding(false)} />}
    </>
  )
  if (designs.length === 0) return adding
  return (
    <Section title={texts.title} count={designs.length}>
      <ul className="plain">
        {designs.map(({ id, title, version }) => (
          <li key={id}>
            <Link className="reference row" href={addressOfDesign(boardKey, id)}>
              <span className="truncate grow" dir="auto">
                {title}
              </span>
              <span className="badge numbers">{texts.version(version)}</span>
            </Link>
          </li>
        ))}
      </ul>
      {adding}
    </Section>
  )
}

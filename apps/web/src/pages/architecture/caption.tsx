import type { ReactNode } from 'react'
import { ActionMenu } from '../../components/action-menu.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Linked } from '../../components/linked.tsx'
import { MenuItem } from '../../components/menu.tsx'
import { useRemoval } from '../../components/removal.tsx'
import { messages } from '../../messages/messages.ts'

const texts = messages.architecture.editing

/** The permissions needed to change a design; the service checks the status of its record. */
const needs = ['ARCHITECTURE_UPDATE'] as const

/** What is shown above a diagram. */
export interface Captioned {
  readonly title: string
  readonly description: string | null
  readonly onEdit: () => void
  readonly onRemove: () => Promise<unknown>
}

interface CaptionProps extends Captioned {
  /** Shows the drawing over the whole page; absent if nothing is drawn. */
  readonly onLarge?: () => void
  /** Items that save what is drawn. */
  readonly saving?: (choose: (act: () => void) => () => void) => ReactNode
}

/** The name of a diagram and its actions in one row; rarer ones are in a menu. */
export function Caption({ title, description, onEdit, onRemove, onLarge, saving }: CaptionProps) {
  const { ask, dialog } = useRemoval({ label: texts.removeOf(title), lead: texts.removeLead, onConfirm: onRemove })
  return (
    <figcaption className="row diagram-caption">
      <span className="grow">
        <strong dir="auto">
          <Linked text={title} />
        </strong>{' '}
        <bdi className="muted">
          <Linked text={description ?? ''} />
        </bdi>
      </span>
      {onLarge !== undefined && (
        <IconButton
          icon="expand"
          label={messages.viewer.open(title)}
          title={messages.viewer.openHint}
          data-for-drawing=""
          onClick={onLarge}
        />
      )}
      <IconButton icon="edit" label={texts.editOf(title)} title={texts.edit} needs={needs} onClick={onEdit} />
      <ActionMenu label={messages.viewer.more(title)}>
        {choose => (
          <>
            {saving?.(choose)}
            <MenuItem needs={needs} onSelect={choose(ask)}>
              {texts.removeOf(title)}
            </MenuItem>
          </>
        )}
      </ActionMenu>
      {dialog}
    </figcaption>
  )
}

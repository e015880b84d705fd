import { type ReactNode, useState } from 'react'
import { useActing } from '../../components/action-menu.tsx'
import { Confirm } from '../../components/confirm.tsx'
import { MenuItem } from '../../components/menu.tsx'
import type { Needs } from '../../data/needs.ts'

interface SecretActions {
  readonly texts: Readonly<
    Record<
      'switchOff' | 'switchOn' | 'rotate' | 'rotateAsk' | 'rotateLead' | 'delete' | 'deleteAsk' | 'deleteLead',
      string
    >
  >
  readonly needs: Needs
  readonly active: boolean
  readonly turn: () => Promise<unknown>
  /** Makes a new secret; undefined if there is no secret. */
  readonly rotate?: (() => Promise<unknown>) | undefined
  readonly remove: () => Promise<unknown>
  readonly onChanged: () => Promise<unknown>
}

/** The actions on a webhook or repository with a secret: disable, enable, renew the secret, delete. */
export function useSecretActions({ texts, needs, active, turn, rotate, remove, onChanged }: SecretActions) {
  const [dialog, setDialog] = useState<'rotate' | 'delete'>()
  const acting = useActing(onChanged)
  const close = () => setDialog(undefined)
  return {
    acting,
    /** The items of a menu. */
    items: (choose: (act: () => void) => () => void): ReactNode => (
      <>
        <MenuItem needs={needs} onSelect={choose(() => acting.mutate(turn))}>
          {active ? texts.switchOff : texts.switchOn}
        </MenuItem>
        {rotate !== undefined && (
          <MenuItem needs={needs} onSelect={choose(() => setDialog('rotate'))}>
            {texts.rotate}
          </MenuItem>
        )}
        <MenuItem needs={needs} onSelect={choose(() => setDialog('delete'))}>
          {texts.delete}
        </MenuItem>
      </>
    ),
    /** The confirmation of an action. */
    asking: (
      <>
        {dialog === 'rotate' && rotate !== undefined && (
          <Confirm
            title={texts.rotateAsk}
            lead={texts.rotateLead}
            action={texts.rotate}
            onClose={close}
            onConfirm={rotate}
          />
        )}
        {dialog === 'delete' && (
          <Confirm
            title={texts.deleteAsk}
            lead={texts.deleteLead}
            action={texts.delete}
            onClose={close}
            onConfirm={() => acting.mutateAsync(remove)}
          />
        )}
      </>
    ),
  }
}

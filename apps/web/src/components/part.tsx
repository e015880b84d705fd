import { type ComponentType, Suspense } from 'react'
import { type Later, later, type Script } from '../later.ts'
import { Dialog } from './dialog.tsx'
import { Guard } from './guard.tsx'
import { HeldKeys } from './held-keys.tsx'
import { PartFault, useScriptFault } from './part-fault.tsx'

const Nothing = () => null

/**
 * A part of a page whose script is loaded when it is first shown. If its script does not load, only this part shows an error, and it appears once the service is reachable again.
 * @param Instead is shown until it has loaded; with it, a failure to load is not reported
 */
export function part<Props extends object>(
  read: Script<Props>,
  Instead?: ComponentType<Props>,
): ComponentType<Props> & Later {
  const Part = later(read)
  const Waiting = Instead ?? Nothing
  const Shown = (props: Props) => (
    <Guard
      isForScripts
      fault={(error, again) =>
        Instead === undefined ? <PartFault error={error} onAgain={again} /> : <Instead {...props} />
      }
    >
      <Suspense fallback={<Waiting {...props} />}>
        <Part {...props} />
      </Suspense>
    </Guard>
  )
  return Object.assign(Shown, { load: Part.load })
}

interface Closing {
  readonly onClose: () => void
}

/**
 * A component that opens over the page, such as a dialog, a picker or a menu, and whose script is loaded when it first
 * opens. What is typed in the meantime goes into its first field. If the script does not load, an error is shown, and
 * the component opens once the service is reachable again.
 */
export function opening<Props extends Closing>(read: Script<Props>): ComponentType<Props> & Later {
  const Opened = later(read)
  // biome-ignore lint/correctness/noComponentHookFactories: called where modules are read, as lazy is
  const Shown = (props: Props) => (
    <Guard isForScripts fault={(error, again) => <NotOpened error={error} onAgain={again} onClose={props.onClose} />}>
      <Suspense fallback={<HeldKeys onEscape={props.onClose} />}>
        <Opened {...props} />
      </Suspense>
    </Guard>
  )
  return Object.assign(Shown, { load: Opened.load })
}

interface NotOpenedProps extends Closing {
  readonly error: unknown
  readonly onAgain: () => void
}

function NotOpened({ error, onAgain, onClose }: NotOpenedProps) {
  const { title } = useScriptFault(error)
  return (
    <Dialog title={title} onClose={onClose}>
      <PartFault error={error} onAgain={onAgain} />
    </Dialog>
  )
}

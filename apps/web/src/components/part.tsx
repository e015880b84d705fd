import { type ComponentType, Suspense } from 'react'
import { type Later, later, type Script } from '../later.ts'
import { Dialog } from './dialog.tsx'
import { PartFault, useScriptFault } from './fault.tsx'
import { Guard } from './guard.tsx'
import { HeldKeys } from './held-keys.tsx'

const Nothing = () => null

/**
 * A part of a page whose script is loaded when it is first shown. One that does not come takes nothing else with it: it says
 * so in its place, and comes once the service is reached.
 * @param Instead is shown until it is there; then nothing is said about a part that does not come
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
 * What opens over the page, such as a dialog, a picker or a menu, and whose script is loaded when it first does. What is typed
 * meanwhile goes into its first field; one that does not come says so, and opens once the service is reached.
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

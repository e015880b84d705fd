declare module 'virtual:routes' {
  /** The output of `packed`. */
  const routes: string
  export default routes
}

declare module 'virtual:permissions' {
  const permissions: readonly {
    readonly name: string
    readonly parent: string | null
    /** It is held exactly when one of its children is. */
    readonly group: boolean
  }[]
  export default permissions
}

declare module 'virtual:settings' {
  import type { BoardSettings, runtimeSettings } from '@specboard/contract'
  import type { z } from 'zod'

  const settings: {
    readonly runtimeSettings: typeof runtimeSettings
    readonly defaultBoardSettings: z.output<typeof BoardSettings>
  }
  export default settings
}

declare module '*.zip?url' {
  const address: string
  export default address
}

declare namespace Intl {
  interface Locale {
    /** Missing in some browsers, and not yet in TypeScript's own types. */
    getWeekInfo?(): { readonly firstDay: number }
  }
}

declare module 'virtual:routes' {
  import type { Route } from '@specboard/client/calls'

  const routes: readonly Route[]
  export default routes
}

import { type ReactNode, Suspense, useEffect, useState } from 'react'
import { matchRoute, Redirect, Route, Switch, useRouter } from 'wouter'
import { addressOfBoard } from './address.ts'
import { openPath } from './base-path.ts'
import { Notice, PageFault } from './components/fault.tsx'
import { Guard } from './components/guard.tsx'
import { noNeeds, Readable, RightsOn } from './components/guarded.tsx'
import { KindsContext } from './components/person.tsx'
import { type PrincipalKind, useBoardByKey, useBoards, useKinds } from './data/boards.ts'
import { MeContext, useSession, useSessionOfTabs } from './data/session.ts'
import { later, loadAhead } from './later.ts'
import { messages } from './messages/messages.ts'
import { SignInPage } from './pages/sign-in/page.tsx'
import { type PageRoute, routes } from './routes.ts'
import { Shell } from './shell/shell.tsx'

const ConnectPage = later(() => import('./pages/connect/page.tsx'))
const InvitePage = later(() => import('./pages/sign-in/invite.tsx'))
/** Every component in every state, for developers; left out of builds. */
const DesignPage = import.meta.env.DEV ? later(() => import('./pages/design/page.tsx')) : undefined

/** A page that could not be shown. */
export const pageFault = (error: unknown) => <PageFault error={error} />

export function App() {
  const { data: session, error } = useSession()
  useSessionOfTabs()
  // Read at once, and retried like every read: all pages wait for the boards.
  useBoards(session !== null)
  const isPageHere = usePageAhead()
  if (session === undefined && error !== null) return <PageFault error={error} />
  if (session === undefined || (session !== null && !isPageHere))
    return <p className="notice">{messages.shell.loading}</p>
  if (openPath() === '/invite')
    return (
      <Suspense fallback={<p className="notice">{messages.shell.loading}</p>}>
        <InvitePage isSignedIn={session !== null} />
      </Suspense>
    )
  if (session === null) return <SignInPage />
  if (openPath().startsWith('/connect/'))
    return (
      <MeContext value={session}>
        <Suspense fallback={<p className="notice">{messages.shell.loading}</p>}>
          <ConnectPage />
        </Suspense>
      </MeContext>
    )
  return (
    <MeContext value={session}>
      <RightsOn boardId={null}>
        <Shell>
          <Switch>
            <Route path="/b/:board">{({ board }) => <Redirect to={addressOfBoard(board)} replace />}</Route>
            <Route path="/sign-in">
              <Redirect to="/" replace />
            </Route>
            {routes.map(route => (
              <Route key={route.path} path={route.path}>
                {params => (
                  <Guard key={location.pathname} fault={pageFault}>
                    <Suspense fallback={<p className="notice">{messages.shell.loading}</p>}>
                      <Page route={route} params={params} />
                    </Suspense>
                  </Guard>
                )}
              </Route>
            ))}
            {DesignPage !== undefined && (
              <Route path="/design">
                <Suspense fallback={<p className="notice">{messages.shell.loading}</p>}>
                  <DesignPage />
                </Suspense>
              </Route>
            )}
            <Route>
              <NotFound says={messages.shell.notFound} />
            </Route>
          </Switch>
        </Shell>
      </RightsOn>
    </MeContext>
  )
}

/**
 * Loads the script of the page that the address names while the session is being read.
 * @returns whether loading has ended
 */
function usePageAhead(): boolean {
  const { parser } = useRouter()
  const [isHere, setHere] = useState(false)
  useEffect(() => {
    const route = routes.find(({ path }) => matchRoute(parser, path, openPath())[0])
    void loadAhead(...(route === undefined ? [] : [route.page])).then(() => setHere(true))
  }, [parser])
  return isHere
}

interface PageProps {
  readonly route: PageRoute
  readonly params: Readonly<Record<string, string | undefined>>
}

const Page = ({ route, params }: PageProps) =>
  route.place === 'top' ? <route.page /> : <BoardPage route={route} params={params} />

type BoardRoute = Extract<PageRoute, { place: 'board' }>

interface BoardPageViewProps extends Pick<PageProps, 'params'> {
  readonly route: BoardRoute
}

function BoardPage({ route: { page: Page, reads = noNeeds }, params }: BoardPageViewProps) {
  const key = params.board ?? ''
  const board = useBoardByKey(key)
  const { error } = useBoards()
  if (board === undefined && error !== null) return <PageFault error={error} />
  if (board === undefined) return <p className="notice">{messages.shell.loading}</p>
  if (board === null) return <NotFound says={messages.shell.noSuchBoard(key)} />
  return (
    <RightsOn boardId={board.id}>
      <Readable needs={reads}>
        <Kinds boardId={board.id}>
          <Page board={board} params={params} />
        </Kinds>
      </Readable>
    </RightsOn>
  )
}

const noKinds: ReadonlyMap<string, PrincipalKind> = new Map()

/** Tells the pages of a board which names are people and which are agents. */
const Kinds = ({ boardId, children }: { readonly boardId: string; readonly children: ReactNode }) => (
  <KindsContext value={useKinds(boardId) ?? noKinds}>{children}</KindsContext>
)

const NotFound = ({ says }: { readonly says: string }) => <Notice title={says} isPassing={false} />

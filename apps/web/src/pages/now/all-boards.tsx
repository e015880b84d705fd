import { Now } from './page.tsx'

/** Who works, on all boards. */
export default function NowOnAllBoards() {
  return <Now />
}

export default function InboxPage() {
  return <p>inbox</p>
}

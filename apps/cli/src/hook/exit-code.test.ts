/** Where each client reports how a command ended, tested with real inputs of the clients (harness 3.4, rule 3). */
import { describe, expect, test } from 'vitest'
import { type ClientName, endOf } from './exit-code.ts'

type Row = readonly [what: string, input: object, ended: number | RegExp, transcript?: string]

const none = /in an unknown form/
const shell = { session_id: 's', cwd: '/w', tool_name: 'Bash', tool_input: { command: 'npm test' } }

const claude = (event: string, more: object): object => ({ ...shell, hook_event_name: event, ...more })
const ok = { stdout: '12 passed', stderr: '', interrupted: false, isImage: false }

const codexItem = (id: string, exit: unknown) =>
  JSON.stringify({
    timestamp: '2026-11-25T10:00:00Z',
    type: 'event_msg',
    payload: {
      type: 'item_completed',
      item: { id, type: 'CommandExecution', exit_code: exit, aggregated_output: 'x' },
    },
  })
const codex = { ...shell, turn_id: 't', tool_use_id: 'call_1', tool_response: '12 passed' }

const gemini = (llmContent: unknown, more: object = {}) => ({
  ...shell,
  tool_name: 'run_shell_command',
  hook_event_name: 'AfterTool',
  tool_response: { llmContent, returnDisplay: '', ...more },
})

const copilot = (text: unknown) => ({
  sessionId: 's',
  cwd: '/w',
  toolName: 'bash',
  toolArgs: { command: 'npm test' },
  toolResult: { resultType: 'success', textResultForLlm: text },
})

const rows: Readonly<Record<ClientName, readonly Row[]>> = {
  'claude-code': [
    ['PostToolUse is success', claude('PostToolUse', { tool_response: ok }), 0],
    ['the first line of a failure', claude('PostToolUseFailure', { error: 'Exit code 3\n1 failed' }), 3],
    ['a failure of one line', claude('PostToolUseFailure', { error: 'Exit code 127' }), 127],
    ['a code that stands later', claude('PostToolUseFailure', { error: 'Stopped\nExit code 3' }), none],
    ['a code that is none', claude('PostToolUseFailure', { error: 'Exit code 999' }), none],
    ['a failure without a word', claude('PostToolUseFailure', {}), none],
    ['an interrupt', claude('PostToolUse', { tool_response: { ...ok, interrupted: true } }), /interrupted/],
    [
      'an interrupt that failed',
      claude('PostToolUseFailure', { error: 'Exit code 130', is_interrupt: true }),
      /interrupted/,
    ],
    [
      'a run in the background',
      claude('PostToolUse', { tool_input: { command: 'npm test', run_in_background: true }, tool_response: ok }),
      /background/,
    ],
    [
      'a run that went there',
      claude('PostToolUse', { tool_response: { ...ok, backgroundTaskId: 'b1' } }),
      /background/,
    ],
    ['another event', claude('Stop', { tool_response: ok }), none],
    ['an answer of another form', claude('PostToolUse', { tool_response: 'ok' }), none],
    ['no answer', claude('PostToolUse', {}), none],
  ],
  codex: [
    ['the item of the call', codex, 0, `${codexItem('call_0', 1)}\n${codexItem('call_1', 0)}`],
    ['the item of a failure', codex, 2, `${codexItem('call_1', 2)}\n${codexItem('call_2', 0)}`],
    ['the last item of the call', codex, 1, `${codexItem('call_1', 0)}\n${codexItem('call_1', 1)}`],
    ['a transcript without it', codex, /not in the transcript/, codexItem('call_9', 0)],
    ['a transcript of another form', codex, /not in the transcript/, '{"exit_code": 0, "id": "call_1"}'],
    ['a line that is no JSON', codex, /not in the transcript/, 'call_1 exit_code 0'],
    ['a code that is a text', codex, none, codexItem('call_1', '0')],
    ['no transcript', codex, none],
    ['no id of the call', { ...codex, tool_use_id: undefined }, none, codexItem('call_1', 0)],
    ['the words of the output alone', { ...codex, tool_response: 'exit code 0' }, /not in the transcript/, ''],
  ],
  gemini: [
    ['nothing is success', gemini('Output: 12 passed\nProcess Group PGID: 7'), 0],
    ['a code', gemini('Output: 1 failed\nExit Code: 3\nProcess Group PGID: 7'), 3],
    ['a code that the output had before', gemini('Output: Exit Code: 0\nExit Code: 3'), 3],
    ['a code of another form', gemini('Exit Code: three'), none],
    ['an error', gemini('Output: (empty)\nError: spawn ENOENT'), none],
    ['no error', gemini('Output: ok\nError: (none)'), 0],
    ['an error beside', gemini('Output: ok', { error: { message: 'x' } }), none],
    ['a signal', gemini('Output: ok\nSignal: SIGTERM'), /interrupted/],
    ['no signal', gemini('Output: ok\nSignal: (none)'), 0],
    ['a timeout', gemini('Command timed out after 300 s.'), /interrupted/],
    ['the background', gemini('Output: ok\nBackground PIDs: 17'), /background/],
    ['parts in place of a text', gemini([{ text: 'ok' }]), none],
  ],
  copilot: [
    ['the last line, whatever its resultType says', copilot('1 failed\n<shellId: 0 completed with exit code 3>'), 3],
    ['success', copilot('12 passed\n<shellId: 0 completed with exit code 0>'), 0],
    ['a line that the output had before', copilot('<shellId: 0 completed with exit code 0>\nstill running'), none],
    ['no line', copilot('12 passed'), none],
    ['no text', copilot(undefined), none],
    ['a code that is none', copilot('<shellId: 0 completed with exit code 4000>'), none],
  ],
  cursor: [
    ['whatever it hands over', { output: 'Exit code 0', duration: 12, exit_code: 0 }, /Cursor does not report it/],
  ],
}

describe.each(Object.entries(rows))('%s', (client, cases) => {
  test.each(cases.map(([what, input, ended, transcript]) => ({ what, input, ended, transcript })))(
    '$what',
    ({ input, ended, transcript }) => {
      const end = endOf(client as ClientName, input as Readonly<Record<string, unknown>>, () => transcript)
      expect(end).toEqual(typeof ended === 'number' ? { exit_code: ended } : { unknown: expect.stringMatching(ended) })
    },
  )
})

/** The exports of each tool, with the columns that it writes (imports 5). */
import { describe, expect, test } from 'vitest'
import {
  bareFile,
  folder,
  importedFieldsOf,
  linksIn,
  ofType,
  problemsOf,
  readingOf,
  recordOf,
} from '../reading.testing.ts'

const table = (...lines: readonly string[]) => readingOf(bareFile(lines.join('\n'), 'export.csv'))

describe('Jira Cloud', () => {
  const reading = table(
    'Summary,Issue key,Issue id,Issue Type,Status,Resolution,Assignee,Assignee Id,Reporter,Reporter Id,Created,Resolved,Inward issue link (Blocks),Outward issue link (Blocks),Outward issue link (Relates),Parent,Parent key,Parent summary,Comment,Comment',
    'Paint,SHED-2,10002,Task,Done,Done,"Example, Ada",712020:aa,Grace,712020:gg,20/Mar/26 2:05 PM,22/Mar/26 9:00 AM,,SHED-3,SHED-4,10001,SHED-1,Sheds,20/Mar/26 3:00 PM;712020:gg;Blue; not red.,Just a remark',
    'Dry,SHED-3,10003,Task,Closed,Duplicate,,,,,20/Mar/26 2:05 PM,23/Mar/26 9:00 AM,SHED-2,,,10001,,,,',
    'Hang,SHED-4,10004,Bug,In Progress,,Grace,712020:gg,,,20/Mar/26 2:05 PM,,,,,,SHED-1,,,',
  )

  test('resolution and closing time count', () => {
    expect(recordOf('card', 'SHED-2', reading)).toMatchObject({
      status: 'done',
      moved_at: '2026-03-22T09:00:00.000Z',
      conclusions: [{ text: 'Done', created_at: '2026-03-22T09:00:00.000Z' }],
    })
    expect(recordOf('card', 'SHED-3', reading)).toMatchObject({ status: 'cancelled' })
  })

  test('ids of accounts are no labels, and name authors of comments', () => {
    expect(recordOf('card', 'SHED-2', reading)).toMatchObject({
      assignee_id: 'Example, Ada',
      labels: [],
      created_by: 'Grace',
    })
    expect(
      ofType('comment', reading).map(({ content, created_by, created_at }) => [content, created_by, created_at]),
    ).toEqual([
      ['Blue; not red.', 'Grace', '2026-03-20T15:00:00.000Z'],
      ['Just a remark', null, null],
    ])
  })

  test('a parent by number, by key, or by both is one spec with key and title', () => {
    expect(ofType('spec', reading).map(({ id, title }) => [id, title])).toEqual([['spec:SHED-1', 'SHED-1: Sheds']])
    expect(ofType('card', reading).every(({ spec_id }) => spec_id === 'spec:SHED-1')).toBe(true)
  })

  test('a link is one link, whichever end says it', () => expect(linksIn(reading)).toEqual(['SHED-3>SHED-2']))

  test('other links are kept', () =>
    expect(importedFieldsOf('SHED-2', reading)).toContain('**Outward issue link (Relates)**: SHED-4'))
})

test('Jira Server: parent and epic', () => {
  const reading = table(
    'Issue Type,Issue key,Issue id,Parent id,Summary,Status,Custom field (Epic Link),Custom field (Epic Name)',
    'Epic,SHED-1,10001,,Sheds,To Do,,Sheds',
    'Story,SHED-2,10002,,Paint,To Do,SHED-1,',
    'Sub-task,SHED-3,10003,10002,Buy paint,To Do,,',
  )
  expect(recordOf('spec', 'spec:SHED-2', reading).context).toBe('Part of SHED-1: Sheds')
  expect(recordOf('card', 'SHED-3', reading).spec_id).toBe('spec:SHED-2')
})

test('GitLab: state, closing time, several assignees told by their accounts', () => {
  const reading = table(
    'Title,Description,Issue ID,URL,State,Author,Author Username,Assignee,Assignee Username,Confidential,Locked,Due Date,Created At (UTC),Updated At (UTC),Closed At (UTC),Milestone,Weight,Labels,Time Estimate,Time Spent,Epic ID,Epic Title',
    'Paint,,7,https://example.test/7,Closed,Ada Example,ada,"Ada Example, Grace Example","ada, grace",No,No,2026-04-01,2026-03-20 14:05:09,2026-03-21 00:00:00,2026-03-22 08:00:00,v1,,"red,blue",0,0,5,Sheds',
  )
  expect(recordOf('card', '7', reading)).toMatchObject({
    status: 'done',
    moved_at: '2026-03-22T08:00:00.000Z',
    created_by: 'Ada Example',
    assignee_id: 'Ada Example',
    labels: ['red', 'blue', 'also:@Grace Example'],
    due_date: '2026-04-01T00:00:00.000Z',
    spec_id: 'spec:5',
  })
  expect(recordOf('spec', 'spec:5', reading).title).toBe('5: Sheds')
})

test('GitHub: why an issue was closed', () => {
  const reading = table(
    'number,title,state,stateReason,assignees,closedAt',
    '1,A,CLOSED,NOT_PLANNED,"ada,grace",2026-03-20T00:00:00Z',
    '2,B,CLOSED,COMPLETED,,2026-03-21T00:00:00Z',
    '3,C,OPEN,REOPENED,,',
  )
  expect(ofType('card', reading).map(({ status, moved_at }) => [status, moved_at])).toEqual([
    ['cancelled', '2026-03-20T00:00:00.000Z'],
    ['done', '2026-03-21T00:00:00.000Z'],
    ['not_started', null],
  ])
})

test('GitHub Projects: known by address where there is no other id', () => {
  const reading = table(
    'Title\tURL\tAssignees\tStatus',
    'Paint\thttps://example.test/o/r/issues/1\tada, grace\tIn Progress',
  )
  expect(ofType('card', reading)).toMatchObject([
    { id: 'https://example.test/o/r/issues/1', assignee_id: 'ada', labels: ['also:@grace'], status: 'in_progress' },
  ])
})

describe('Azure DevOps', () => {
  test('a tree of titles, tags and numbers of priority', () => {
    const reading = table(
      'ID,Work Item Type,Title 1,Title 2,Title 3,Assigned To,State,Tags,Priority,Created Date,Closed Date,Reason',
      '1,Epic,Sheds,,,,New,,2,3/20/2026 2:05:09 PM,,New',
      '2,Feature,,Paint,,Ada Example <ada@example.test>,Active,red; blue,1,3/20/2026 2:05:09 PM,,Moved to state Active',
      '3,Task,,,Buy,,Closed,,4,3/2/2026 2:05:09 PM,4/1/2026 1:00:00 AM,Completed',
      '4,Task,,,Dry,,Closed,,3,3/20/2026 2:05:09 PM,4/1/2026 1:00:00 AM,Duplicate',
      '5,Bug,,Hang,,,Resolved,,,3/20/2026 2:05:09 PM,,Fixed',
    )
    expect(ofType('spec', reading).map(({ id, title, context }) => [id, title, context])).toEqual([
      ['spec:1', 'Sheds', null],
      ['spec:2', 'Paint', 'Part of 1: Sheds'],
    ])
    expect(
      ofType('card', reading).map(({ id, spec_id, status, priority, created_at, moved_at }) => [
        id,
        spec_id,
        status,
        priority,
        created_at?.slice(0, 10),
        moved_at,
      ]),
    ).toEqual([
      ['3', 'spec:2', 'done', 'low', '2026-03-02', null],
      ['4', 'spec:2', 'cancelled', 'medium', '2026-03-20', null],
      ['5', 'spec:1', 'done', 'none', '2026-03-20', null],
    ])
    expect(recordOf('spec', 'spec:2', reading).labels).toEqual(['red', 'blue'])
    expect(problemsOf('note', reading).join('\n')).toContain('in the column "Closed Date"')
  })

  test('a parent by number', () => {
    const reading = table('ID,Title,State,Parent', '1,Sheds,New,', '2,Paint,New,1')
    expect(recordOf('card', '2', reading).spec_id).toBe('spec:1')
  })
})

test('Asana: no status but a time, parents and dependencies by title', () => {
  const reading = table(
    'Task ID,Created At,Completed At,Last Modified,Name,Section/Column,Assignee,Assignee Email,Start Date,Due Date,Tags,Notes,Projects,Parent task,Blocked By (Dependencies),Blocking (Dependencies)',
    '11,2026-03-20,2026-03-22,2026-03-22,"Buy paint, brushes",To do,Ada Example,ada@example.test,,2026-04-01,,Red.,Sheds,,,',
    '12,2026-03-20,,2026-03-20,Paint,Doing,,,,,,,Sheds,,"Buy paint, brushes",',
    '13,2026-03-20,,2026-03-20,Stir,To do,,,,,,,Sheds,Paint it,,Paint',
    '14,2026-03-20,,2026-03-20,Paint it,To do,,,,,,,Sheds,,,',
  )
  expect(recordOf('card', '11', reading)).toMatchObject({
    status: 'done',
    assignee_id: 'Ada Example',
    description: 'Red.',
    moved_at: '2026-03-22T00:00:00.000Z',
  })
  expect(recordOf('card', '13', reading).spec_id).toBe('spec:14')
  expect(linksIn(reading)).toEqual(['12>11', '12>13'])
})

test('Redmine: a number sign as a column, relations, semicolons', () => {
  const reading = table(
    '#;Project;Tracker;Parent task;Status;Priority;Subject;Author;Assignee;Updated;Due date;% Done;Created;Closed;Related issues;Description',
    '1;Sheds;Feature;;New;Immediate;Sheds;Ada;;2026-03-20 14:05;;0;2026-03-20 14:05;;;',
    '2;Sheds;Bug;1;Rejected;Normal;Paint;Ada;Grace;2026-03-20 14:05;;0;2026-03-20 14:05;2026-03-21 10:00;Blocked by #3, Related to #1;',
    '3;Sheds;Bug;1;Feedback;Low;Buy;Ada;Grace;2026-03-20 14:05;;0;2026-03-20 14:05;;Blocks #2;',
  )
  expect(recordOf('card', '2', reading)).toMatchObject({ status: 'cancelled', spec_id: 'spec:1', created_by: 'Ada' })
  expect(recordOf('card', '3', reading)).toMatchObject({ status: 'on_hold', priority: 'low' })
  expect(linksIn(reading)).toEqual(['2>3'])
  expect(importedFieldsOf('2', reading)).toContain('**Related issues**: Related to #1')
})

test('Trello: archived cards, due ones that are complete', () => {
  const reading = table(
    'Card ID,Card Name,Card URL,Labels,Members,Due Date,Due Complete,List ID,List Name,Archived',
    '5f1,Paint,u,"home (red),soon",ada,,false,7a,Backlog,true',
    '5f2,Dry,u,,"ada,grace",2026-04-01,true,7a,Backlog,false',
  )
  expect(recordOf('card', '5f1', reading)).toMatchObject({ archived: true, status: 'not_started' })
  expect(recordOf('card', '5f2', reading)).toMatchObject({ archived: false, status: 'done', labels: ['also:@grace'] })
})

test.each(['Archived', 'archive', 'Template', 'Trash'])('a row in the status %s is not live', word => {
  const table = bareFile(`id,title,status\n1,A,${word}\n`)
  expect(recordOf('card', '1', readingOf(table))).toMatchObject({ archived: true, status: 'cancelled' })
  const mapped = readingOf(table, { mapping: `status.${word}=on_hold` })
  expect(recordOf('card', '1', mapped)).toMatchObject({ archived: false, status: 'on_hold' })
})

test('Linear: when it was cancelled, and archived', () => {
  const reading = table(
    'ID,Title,Status,Completed,Canceled,Archived,Parent issue',
    'ENG-1,A,Triage,,2026-03-20T00:00:00.000Z,,',
    'ENG-2,B,Done,2026-03-20T00:00:00.000Z,,2026-05-01T00:00:00.000Z,',
  )
  expect(recordOf('card', 'ENG-1', reading)).toMatchObject({
    status: 'cancelled',
    moved_at: '2026-03-20T00:00:00.000Z',
  })
  expect(recordOf('card', 'ENG-2', reading)).toMatchObject({ status: 'done', archived: true })
  expect(importedFieldsOf('ENG-2', reading)).toContain('**Archived**: 2026-05-01T00:00:00.000Z')
})

test('several tables in a folder are read, and name one another', () => {
  const reading = readingOf(
    folder({ 'one.csv': 'id,title,status\n1,Paint,Done', 'two.csv': 'id;title;status;blocked by\n2;Dry;To Do;1' }),
  )
  expect(ofType('card', reading).map(({ id, place }) => [id, place.entry])).toEqual([
    ['1', 'one.csv'],
    ['2', 'two.csv'],
  ])
  expect(linksIn(reading)).toEqual(['2>1'])
})

describe('dates in numbers', () => {
  const dueOf = (mapping: string | undefined, ...dates: readonly string[]) =>
    ofType(
      'card',
      readingOf(bareFile(['id,title,due', ...dates.map((date, at) => `${at},A,${date}`)].join('\n')), {
        ...(mapping !== undefined && { mapping }),
      }),
    ).map(({ due_date }) => due_date?.slice(0, 10) ?? null)

  test('a date that has one reading settles the column', () => {
    expect(dueOf(undefined, '3/20/2026 2:05:09 PM', '3/4/2026')).toEqual(['2026-03-20', '2026-03-04'])
    expect(dueOf(undefined, '20/3/2026', '3/4/2026')).toEqual(['2026-03-20', '2026-04-03'])
  })

  test('without one nothing is guessed, unless a mapping says it', () => {
    expect(dueOf(undefined, '3/4/2026', '5/5/2026')).toEqual([null, '2026-05-05'])
    expect(dueOf('date=DD/MM/YYYY', '3/4/2026', '03-04-26')).toEqual(['2026-04-03', '2026-04-03'])
    expect(dueOf('{"date": "MM/DD/YYYY"}', '3/4/2026')).toEqual(['2026-03-04'])
  })

  test('columns that contradict themselves are not read', () =>
    expect(dueOf(undefined, '20/3/2026', '3/20/2026', '3/4/2026')).toEqual([null, null, null]))

  test('other forms say what they are', () =>
    expect(dueOf(undefined, '20.03.2026', '"Mar 20, 2026"', '2026/03/20', '2026-03-20 14:05:09+00')).toEqual(
      Array.from({ length: 4 }, () => '2026-03-20'),
    ))
})

describe('who a row is', () => {
  const titles = (text: string) =>
    new Map(ofType('card', readingOf(bareFile(text))).map(({ id, title, status }) => [id, `${title} ${status}`]))

  test('the order of rows changes no id, with ids and without', () => {
    const rows = ['A,To Do,x', 'B,To Do,y', 'A,Done,z', 'C,Done,']
    expect(titles(['title,status,description', ...rows].join('\n'))).toEqual(
      titles(['title,status,description', ...rows.toReversed()].join('\n')),
    )
  })

  test('of rows with one id and title the newest counts', () => {
    const reading = readingOf(
      bareFile('id,title,status,updated\n1,A,Done,2026-03-21\n1,A,To Do,2026-03-20\n2,B,To Do,\n2,B,Done,'),
    )
    expect(ofType('card', reading).map(({ id, status }) => [id, status])).toEqual([
      ['1', 'done'],
      ['2', 'done'],
    ])
    expect(problemsOf('skipped', reading)).toEqual([
      ':3 1 Line 2 has the same id and is newer.',
      ':4 2 Line 5 has the same id and is newer.',
    ])
  })

  test('rows with one id and several titles are several records, and no link finds one of them', () => {
    const reading = readingOf(bareFile('id,title,blocked by\n1,A,\n1,B,\n2,C,1'))
    expect(ofType('card', reading)).toHaveLength(3)
    expect(problemsOf('skipped', reading)).toEqual([':4 2 – 1 A link to 1, which could be the row in line 2 or 3.'])
  })
})

test('a link to what is missing is told', () =>
  expect(problemsOf('skipped', table('id,title,blocked by', '1,A,9'))).toEqual([
    ':2 1 – 9 A link to 9, which is not here.',
  ]))

test.each([
  ['sep=;\nid;title\n1;A', 'A'],
  ['"sep=|"\nid|title\n1|A', 'A'],
  ['id|title\n1|A', 'A'],
  ['id,title\n1,"A"  ', 'A'],
  ['id,title\n"1" ,"A" \n2,B', 'A'],
  ['\n\nid\ttitle\n1\tA', 'A'],
  ['title;text, long, and, more\nA;x', 'A'],
])('%j is a table', (text, title) => expect(ofType('card', readingOf(bareFile(text)))[0]!.title).toBe(title))

test('a row with wrong quotes costs that row', () => {
  const reading = table('id,title', '1,A', '2,"B', '3,C', '4,D"x"', '5,"E"x,"', '6,F')
  expect(ofType('card', reading).map(({ id }) => id)).toEqual(['1', '3', '4', '6'])
  expect(problemsOf('not_read', reading).map(problem => problem.slice(0, 4))).toEqual([':3  ', ':6  '])
})

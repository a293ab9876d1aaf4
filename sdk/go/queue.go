package azulejo

import "sync"

// A queue runs jobs one after the other. add never blocks.
type queue struct {
	mu     sync.Mutex
	more   *sync.Cond
	jobs   []func()
	closed bool
}

func newQueue() *queue {
	q := &queue{}
	q.more = sync.NewCond(&q.mu)
	return q
}

func (q *queue) add(job func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if !q.closed {
		q.jobs = append(q.jobs, job)
		q.more.Signal()
	}
}

// close makes run return when all jobs are done.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.more.Signal()
}

func (q *queue) run() {
	for {
		q.mu.Lock()
		for len(q.jobs) == 0 && !q.closed {
			q.more.Wait()
		}
		if len(q.jobs) == 0 {
			q.mu.Unlock()
			return
		}
		job := q.jobs[0]
		q.jobs = q.jobs[1:]
		q.mu.Unlock()
		job()
	}
}

// peer PORT FILE: net/http of Go's standard library.
package main

import (
	"encoding/json"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
)

// Like is the body of POST /photos/{id}/like, Likes the answer to it.
type Like struct {
	User string `json:"user"`
}

type Likes struct {
	Likes int `json:"likes"`
	Photo int `json:"photo"`
}

type photo struct {
	likes  int
	byUser map[string]int
}

// counter holds likes in memory: in all, and of each user.
type counter struct {
	sync.Mutex
	photos map[int]*photo
}

func (c *counter) add(like Like, id int) Likes {
	c.Lock()
	defer c.Unlock()
	p := c.photos[id]
	if p == nil {
		p = &photo{byUser: map[string]int{}}
		c.photos[id] = p
	}
	p.likes++
	p.byUser[like.User]++
	return Likes{Likes: p.likes, Photo: id}
}

func (c *counter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	segments := strings.Split(r.URL.Path, "/") // "", "photos", "42", "like"
	if r.Method != http.MethodPost || len(segments) != 4 || segments[3] != "like" {
		http.NotFound(w, r)
		return
	}
	id, err := strconv.Atoi(segments[2])
	if err != nil {
		http.NotFound(w, r)
		return
	}
	var like Like
	if err := json.NewDecoder(r.Body).Decode(&like); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(c.add(like, id))
}

func main() {
	behaviors, err := os.ReadFile(os.Args[2])
	if err != nil {
		log.Fatal(err)
	}
	http.HandleFunc("/behaviors.json", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write(behaviors)
	})
	http.Handle("/photos/", &counter{photos: map[int]*photo{}})
	log.Fatal(http.ListenAndServe("127.0.0.1:"+os.Args[1], nil))
}

// Go's net/http. Prints a JSON object of its outcomes.
//
//	go run clients.go URL AUTHORITY
package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"
)

var url = os.Args[1]

func body() io.Reader {
	return io.MultiReader(strings.NewReader(`{"title":"Mir"`), bytes.NewReader(bytes.Repeat([]byte(" "), 600_000)),
		strings.NewReader("}"))
}

func send(client *http.Client, method, path string, body io.Reader, fields ...string) (*http.Response, error) {
	request, err := http.NewRequest(method, url+path, body)
	if err != nil {
		return nil, err
	}
	for at := 0; at < len(fields); at += 2 {
		request.Header.Set(fields[at], fields[at+1])
	}
	return client.Do(request)
}

// Reads 1 KiB at a time.
func digest(source io.ReadCloser) (string, error) {
	defer source.Close()
	total, piece := sha256.New(), make([]byte, 1024)
	for {
		count, err := source.Read(piece)
		total.Write(piece[:count])
		if err == io.EOF {
			return hex.EncodeToString(total.Sum(nil)), nil
		} else if err != nil {
			return "", err
		}
	}
}

func outcome(client *http.Client) (map[string]any, error) {
	got, err := send(client, "GET", "/large", nil)
	if err != nil {
		return nil, err
	}
	whole, err := digest(got.Body)
	if err != nil {
		return nil, err
	}
	answer, err := send(client, "GET", "/large", nil, "Range", "bytes=1000-1999")
	if err != nil {
		return nil, err
	}
	part, err := digest(answer.Body)
	if err != nil {
		return nil, err
	}
	posted, err := send(client, "POST", "/photos", body(), "Content-Type", "application/json")
	if err != nil {
		return nil, err
	}
	posted.Body.Close()
	stream, err := send(client, "GET", "/photos/42/likes", nil)
	if err != nil {
		return nil, err
	}
	defer stream.Body.Close()
	line, err := bufio.NewReader(stream.Body).ReadString('\n')
	version := strings.TrimSuffix(strings.TrimPrefix(got.Proto, "HTTP/"), ".0")
	return map[string]any{"whole": whole, "part": []any{answer.StatusCode, part}, "posted": posted.StatusCode,
		"streamed": strings.Contains(line, "likes"), "version": version}, err
}

func main() {
	pem, _ := os.ReadFile(os.Args[2])
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(pem)
	outcomes := map[string]any{}
	for _, isHTTP2 := range []bool{false, true} {
		if isHTTP2 && !strings.HasPrefix(url, "https:") {
			continue // net/http of Go 1.19 has HTTP/2 over TLS only
		}
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: isHTTP2,
			TLSHandshakeTimeout: 10 * time.Second}
		if !isHTTP2 {
			transport.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
		}
		name := map[bool]string{false: "net/http", true: "net/http, HTTP/2"}[isHTTP2]
		result, err := outcome(&http.Client{Transport: transport, Timeout: 20 * time.Second})
		if err != nil {
			outcomes[name] = fmt.Sprint(err)
		} else {
			outcomes[name] = result
		}
	}
	json.NewEncoder(os.Stdout).Encode(outcomes)
}
